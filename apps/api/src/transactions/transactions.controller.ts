import { Controller, Get, Param, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { HistoryItem, ListPage, TransactionResult } from '@tillstream/contracts';
import { historyItem } from '@tillstream/presentation';
import { Callers } from '../access/callers.js';
import { merchantOf } from '../access/caller.js';
import type { Answer } from '../http/answer.js';
import { invalidFields, notFound } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { listAnswer } from '../http/list.answer.js';
import { MerchantEndpoint } from '../openapi/endpoint.js';
import { listQuery } from '../validation/list.query.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { KEY_PLACE, listRequest, placeOf } from '../validation/page.key.js';
import { TRANSACTION_FILTERS, TRANSACTION_SORTS } from './transaction.filters.js';
import { FindTransaction, ListTransactions, ReadHistory } from './transaction.queries.js';
import { TRANSACTION_ENDPOINTS } from './transactions.docs.js';

const noTransaction = () => notFound('There is no such transaction.');

/**
 * Looks at what happened. Another merchant's transaction is as if it were not there
 * (`docs/spec/authentication.md#ownership`).
 */
@ApiTags('Transactions')
@Controller('v1/transactions')
@Callers('MerchantKey')
export class TransactionsController {
  constructor(private readonly queries: QueryBus) {}

  /** Operations on payments and on stored cards, each from its request on. */
  @Get()
  @MerchantEndpoint(TRANSACTION_ENDPOINTS.list, TRANSACTION_FILTERS)
  async list(@Req() request: ApiRequest): Promise<Answer> {
    const merchantId = merchantOf(request).id;
    const query = listQuery(request, {
      filters: TRANSACTION_FILTERS,
      sorts: TRANSACTION_SORTS,
      totals: true,
      boundTo: `transactions of ${merchantId}`,
      place: KEY_PLACE,
    });
    const { items, next, total } = await this.queries.execute(
      new ListTransactions(listRequest(merchantId, query)),
    );
    return listAnswer(items, {
      nextCursor: next && query.nextCursor(placeOf(next)),
      ...(total && { total }),
    });
  }

  @Get(':id')
  @MerchantEndpoint(TRANSACTION_ENDPOINTS.one)
  async one(@Req() request: ApiRequest, @Param('id') id: string): Promise<TransactionResult> {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    const found = await this.queries.execute(new FindTransaction(merchantOf(request).id, id));
    if (!found) throw noTransaction();
    return found;
  }

  /** Oldest first. A page ends where its cursor says, whatever was recorded meanwhile. */
  @Get(':id/events')
  @MerchantEndpoint(TRANSACTION_ENDPOINTS.events)
  async events(@Req() request: ApiRequest, @Param('id') id: string): Promise<ListPage<HistoryItem>> {
    const { limit, after, nextCursor } = listQuery(request, {
      boundTo: `events of ${id}`,
      place: /^\d{1,9}$/,
    });
    const from = Number(after ?? 0);
    const history = await this.queries.execute(new ReadHistory(merchantOf(request).id, id, { from, limit }));
    if (!history) throw noTransaction();
    const data = history.entries.map(historyItem);
    const next = history.end ? null : nextCursor(String(from + data.length));
    return { data, hasMore: next !== null, nextCursor: next };
  }
}
