import { Body, Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ErrorCode, type Adjustment, type Chargeback, type Settlement } from '@tillstream/contracts';
import type { AdjustmentResult, ChargebackResult } from '@tillstream/payments';
import { settlementShape } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { conflict, detailedError, notFound } from '../../http/api.error.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { merchantIdOf, noMerchant } from '../merchants/merchants.errors.js';
import { currencyNotOffered } from '../batches/batches.errors.js';
import { FundSettlement, RecordAdjustment, RecordChargeback } from './settlements.handlers.js';
import { OPERATOR_SETTLEMENT_ENDPOINTS } from './settlements.docs.js';
import { NewAdjustmentDto, NewChargebackDto } from './settlements.dto.js';

/** Longer than the closing of a batch of some thousand payments. */
const RECORDED_WITHIN_MS = 5_000;

/** Funding, chargebacks and adjustments (`docs/spec/operators.md#settlements-and-chargebacks`). */
@ApiTags('Settlements')
@Controller('admin/v1')
@OperatorApi(OPERATOR_SETTLEMENT_ENDPOINTS)
export class OperatorSettlementsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('settlements/:id/fund')
  async fundSettlement(
    @Operator() { actor, traceId }: OperatorRequest,
    @Param('id') settlementId: string,
    @Body() _body: NoFieldsDto,
  ): Promise<Settlement> {
    const funded = await this.commands.execute(new FundSettlement({ actor, traceId, settlementId }));
    const shown = funded && settlementShape(funded);
    if (!shown) throw notFound('There is no such settlement.');
    return shown;
  }

  @Post('merchants/:id/adjustments')
  async recordAdjustment(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { currency, amount, reason, reference }: NewAdjustmentDto,
  ): Promise<Adjustment> {
    const merchantId = merchantIdOf(id);
    const request = {
      ...operator,
      ...{ merchantId, currency, amount, reason, waitMs: RECORDED_WITHIN_MS },
      ...(reference !== undefined && { reference }),
    };
    return adjustmentShape(await this.commands.execute(new RecordAdjustment(request)), {
      merchantId,
      currency,
    });
  }

  @Post('transactions/:id/chargebacks')
  async recordChargeback(
    @Operator() operator: OperatorRequest,
    @Param('id') operationId: string,
    @Body() { amount, reason, reference }: NewChargebackDto,
  ): Promise<Chargeback> {
    const request = {
      ...operator,
      operationId,
      amount,
      reason,
      ...(reference !== undefined && { reference }),
    };
    return chargebackShape(await this.commands.execute(new RecordChargeback(request)));
  }
}

/** @throws ApiError */
function adjustmentShape(
  result: AdjustmentResult | undefined,
  of: Pick<Adjustment, 'merchantId' | 'currency'>,
): Adjustment {
  if (!result) throw noMerchant();
  switch (result.kind) {
    case 'CurrencyNotOffered':
      throw currencyNotOffered(result.offered, of.currency);
    case 'TooManyAdjustments':
      throw detailedError(
        400,
        ErrorCode.InvalidTransactionType,
        'The open batch has as many adjustments as it can have.',
        {},
      );
    case 'BatchIsClosing':
      throw conflict('The batch is being closed. Try again.');
    case 'Recorded': {
      const { adjustmentId: id, amount, reason = '', reference, at: createdAt } = result.adjustment;
      return {
        ...{ id, ...of, batchId: result.batchId, amount, reason },
        ...(reference !== undefined && { reference }),
        createdAt,
      };
    }
  }
}

/** @throws ApiError */
function chargebackShape(result: ChargebackResult | undefined): Chargeback {
  if (!result) throw notFound('There is no such transaction.');
  if (result.kind === 'Rejected') {
    const { code, message, details } = result.rejection;
    const isAmount = code === 'AmountAboveOpenCapture' || code === 'InvalidAmount';
    throw isAmount
      ? detailedError(400, ErrorCode.InvalidAmount, message, { field: 'amount', details })
      : detailedError(400, ErrorCode.InvalidTransactionType, message, { details });
  }
  const {
    id,
    operationId: transactionId,
    merchantId,
    currency,
    amount,
    reason,
    reference,
    createdAt,
  } = result;
  return {
    ...{ id, transactionId, merchantId, currency, amount, reason },
    ...(reference !== undefined && { reference }),
    createdAt,
  };
}
