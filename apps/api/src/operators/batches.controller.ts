import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Batch, BatchClosing } from '@tillstream/contracts';
import type { BatchView, CurrencyNotOffered } from '@tillstream/payments';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import { invalidFields, notFound } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { received } from '../validation/received.text.js';
import { invalidField, requestBody } from '../validation/request.body.js';
import { CloseBatchesDto } from './batches.dto.js';
import { CloseBatches, FindBatch } from './batches.handlers.js';
import { merchantIdOf, noMerchant } from './merchants.answer.js';
import { operatorActor } from './operator.actor.js';
import { BATCH_ENDPOINTS } from './batches.docs.js';

/** Whoever waits longer looks at the batch. */
const CLOSED_WITHIN_MS = 5_000;

/** Batches of merchants, and closing them before their cut-off (`docs/spec/operators.md#batches`). */
@ApiTags('Batches')
@Controller('admin/v1')
@Callers('AdminKey')
export class BatchesController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('merchants/:id/batches/close')
  @OperatorEndpoint(BATCH_ENDPOINTS.close)
  async close(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const asked = await requestBody(request, CloseBatchesDto, { mayBeEmpty: true });
    const { currency } = asked.body;
    const by = { actor: operatorActor(request), traceId: request.traceId };
    return this.kept.once(request, asked, async () => {
      const merchantId = merchantIdOf(id);
      const chosen = { ...by, merchantId, waitMs: CLOSED_WITHIN_MS, ...(currency && { currency }) };
      return closing(await this.commands.execute(new CloseBatches(chosen)), currency);
    });
  }

  @Get('batches/:id')
  @OperatorEndpoint(BATCH_ENDPOINTS.one)
  async one(@Req() request: ApiRequest, @Param('id') id: string): Promise<Batch> {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    const batch = await this.queries.execute(new FindBatch(id));
    if (!batch) throw notFound('There is no such batch.');
    return shown(batch);
  }
}

/** @throws ApiError */
function closing(
  answer: readonly BatchView[] | CurrencyNotOffered | undefined,
  currency: string | undefined,
): BatchClosing {
  if (!answer) throw noMerchant();
  if (!('kind' in answer)) return { data: answer.map(shown) };
  const allowed = `one of ${answer.offered.join(', ')}`;
  const message = `currency must be ${allowed}: the merchant takes no other.`;
  throw invalidFields([invalidField('currency', message, `${received(currency)}, allowed ${allowed}`)]);
}

function shown(batch: BatchView): Batch {
  const { id, merchantId, currency, status, transactionCount, amount, openedAt, closedAt } = batch;
  return {
    ...{ id, merchantId, currency, status, transactionCount, amount, openedAt },
    ...(closedAt !== undefined && { closedAt }),
  };
}
