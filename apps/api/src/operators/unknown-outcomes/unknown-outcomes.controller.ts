import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ListPage, UnknownOutcome, UnknownOutcomeAnswer } from '@tillstream/contracts';
import type { UnknownOutcomeCursor } from '@tillstream/payments';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { anyText } from '../../validation/list.filters.js';
import { listQuery } from '../../validation/list.query.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { ResolveDto } from './unknown-outcomes.dto.js';
import { InquireNow, ListUnknownOutcomes, ResolveUnknownOutcome } from './unknown-outcomes.handlers.js';
import { unknownOutcomeResponse, unknownOutcomeShape } from './unknown-outcomes.responses.js';
import { UNKNOWN_OUTCOME_ENDPOINTS } from './unknown-outcomes.docs.js';

class UnknownOutcomeListQuery extends listQuery({
  filters: { merchantId: anyText(30) },
  boundTo: () => 'unknown outcomes',
  // Time since when the outcome is unknown, ms, and the transaction.
  place: /^\d{1,15} trx_[0-9A-Z]{26}$/,
}) {}

/** Operations whose outcome is unknown, and their manual resolution (`docs/spec/unknown-outcomes.md#operators`). */
@ApiTags('Unknown outcomes')
@Controller('admin/v1/unknown-outcomes')
@OperatorApi(UNKNOWN_OUTCOME_ENDPOINTS)
export class UnknownOutcomesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** The longest unknown first; includes those that only an operator can resolve. */
  @Get()
  async listUnknownOutcomes(@Query() query: UnknownOutcomeListQuery): Promise<ListPage<UnknownOutcome>> {
    const { limit, after, filters } = query;
    const page = await this.queries.execute(
      new ListUnknownOutcomes({
        limit,
        ...(filters.merchantId && { merchantIds: filters.merchantId }),
        ...(after !== undefined && { after: placeOf(after) }),
      }),
    );
    const nextCursor = page.next && query.nextCursor(`${page.next.since} ${page.next.transactionId}`);
    return { data: page.items.map(unknownOutcomeShape), hasMore: nextCursor !== null, nextCursor };
  }

  @Post(':transactionId/inquire')
  async inquireNow(
    @Operator() operator: OperatorRequest,
    @Param('transactionId') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<UnknownOutcomeAnswer> {
    return unknownOutcomeResponse(await this.commands.execute(new InquireNow(operator, id)));
  }

  @Post(':transactionId/resolve')
  async resolveUnknownOutcome(
    @Operator() operator: OperatorRequest,
    @Param('transactionId') id: string,
    @Body() body: ResolveDto,
  ): Promise<UnknownOutcomeAnswer> {
    return unknownOutcomeResponse(
      await this.commands.execute(new ResolveUnknownOutcome(operator, id, body, operator.commandId)),
    );
  }
}

function placeOf(place: string): UnknownOutcomeCursor {
  const [since = '', transactionId = ''] = place.split(' ');
  return { since: Number(since), transactionId };
}
