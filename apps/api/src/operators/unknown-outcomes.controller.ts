import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { ListPage, UnknownOutcome } from '@tillstream/contracts';
import type { OperatorContext, UnknownOutcomeCursor } from '@tillstream/payments';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { anyText } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { requestBody } from '../validation/request.body.js';
import { operatorActor } from './operator.actor.js';
import { unknownOutcomeAnswer, unknownOutcomeShape } from './unknown-outcomes.answer.js';
import { ResolveDto } from './unknown-outcomes.dto.js';
import { InquireNow, ListUnknownOutcomes, ResolveUnknownOutcome } from './unknown-outcomes.handlers.js';

export const UNKNOWN_OUTCOME_FILTERS = { merchantId: anyText(30) };
/** Since when, ms, and the transaction. */
const PLACE = /^\d{1,15} trx_[0-9A-Z]{26}$/;

/**
 * Operations whose outcome nobody knows, and what an operator can do about them
 * (`docs/spec/unknown-outcomes.md#operators`).
 */
@Controller('admin/v1/unknown-outcomes')
@Callers('AdminKey')
export class UnknownOutcomesController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** The longest unknown first, also those that only an operator can tell any more. */
  @Get()
  async list(@Req() request: ApiRequest): Promise<ListPage<UnknownOutcome>> {
    const query = listQuery(request, {
      filters: UNKNOWN_OUTCOME_FILTERS,
      boundTo: 'unknown outcomes',
      place: PLACE,
    });
    const { limit, after, filters, nextCursor } = query;
    const page = await this.queries.execute(
      new ListUnknownOutcomes({
        limit,
        ...(filters.merchantId && { merchantIds: filters.merchantId }),
        ...(after !== undefined && { after: placeOf(after) }),
      }),
    );
    const next = page.next && nextCursor(`${page.next.since} ${page.next.transactionId}`);
    return { data: page.items.map(unknownOutcomeShape), hasMore: next !== null, nextCursor: next };
  }

  @Post(':transactionId/inquire')
  async inquire(@Req() request: ApiRequest, @Param('transactionId') id: string): Promise<Answer> {
    const asked = await requestBody(request, NoFieldsDto, { mayBeEmpty: true });
    const operator = operatorOf(request);
    return this.kept.once(request, asked, async () =>
      unknownOutcomeAnswer(await this.commands.execute(new InquireNow(operator, id))),
    );
  }

  @Post(':transactionId/resolve')
  async resolve(@Req() request: ApiRequest, @Param('transactionId') id: string): Promise<Answer> {
    const asked = await requestBody(request, ResolveDto);
    const operator = operatorOf(request);
    return this.kept.once(request, asked, async (commandId) =>
      unknownOutcomeAnswer(
        await this.commands.execute(new ResolveUnknownOutcome(operator, id, asked.body, commandId)),
      ),
    );
  }
}

function operatorOf(request: ApiRequest): OperatorContext {
  return { actor: operatorActor(request), traceId: request.traceId };
}

function placeOf(place: string): UnknownOutcomeCursor {
  const [since = '', transactionId = ''] = place.split(' ');
  return { since: Number(since), transactionId };
}
