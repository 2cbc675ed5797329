import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Batch, BatchClosing } from '@tillstream/contracts';
import type { BatchView, CurrencyNotOffered } from '@tillstream/payments';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { notFound } from '../../http/api.error.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { merchantIdOf, noMerchant } from '../merchants/merchants.errors.js';
import { currencyNotOffered } from './batches.errors.js';
import { CloseBatchesDto } from './batches.dto.js';
import { CloseBatches, FindBatch } from './batches.handlers.js';
import { BATCH_ENDPOINTS } from './batches.docs.js';

/** The response shows a batch that takes longer as not closed yet. */
const CLOSED_WITHIN_MS = 5_000;

/** Batches of merchants, and closing them before their cut-off (`docs/spec/operators.md#batches`). */
@ApiTags('Batches')
@Controller('admin/v1')
@OperatorApi(BATCH_ENDPOINTS)
export class BatchesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('merchants/:id/batches/close')
  async closeBatches(
    @Operator() { actor, traceId }: OperatorRequest,
    @Param('id') id: string,
    @Body() { currency }: CloseBatchesDto,
  ): Promise<BatchClosing> {
    const merchantId = merchantIdOf(id);
    const request = { actor, traceId, merchantId, waitMs: CLOSED_WITHIN_MS, ...(currency && { currency }) };
    return closing(await this.commands.execute(new CloseBatches(request)), currency);
  }

  @Get('batches/:id')
  async getBatch(@Param('id') id: string): Promise<Batch> {
    const batch = await this.queries.execute(new FindBatch(id));
    if (!batch) throw notFound('There is no such batch.');
    return batch;
  }
}

/** @throws ApiError */
function closing(
  result: readonly BatchView[] | CurrencyNotOffered | undefined,
  currency: string | undefined,
): BatchClosing {
  if (!result) throw noMerchant();
  if (!('kind' in result)) return { data: [...result] };
  throw currencyNotOffered(result.offered, currency);
}
