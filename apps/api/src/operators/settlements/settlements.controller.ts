import { Body, Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ErrorCode, type Chargeback, type Settlement } from '@tillstream/contracts';
import type { ChargebackResult } from '@tillstream/payments';
import { settlementShape } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { detailedError, notFound } from '../../http/api.error.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { FundSettlement, RecordChargeback } from '../operators.handlers.js';
import { OPERATOR_SETTLEMENT_ENDPOINTS } from './settlements.docs.js';
import { NewChargebackDto } from './settlements.dto.js';

/** Funding, and chargebacks (`docs/spec/operators.md#settlements-and-chargebacks`). */
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
