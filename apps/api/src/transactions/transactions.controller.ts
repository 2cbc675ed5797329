import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { HistoryItem, ListPage, TransactionResult } from '@tillstream/contracts';
import type { RequestContext } from '@tillstream/payments';
import { historyItem } from '@tillstream/presentation';
import { Context } from '../access/caller.js';
import { notFound } from '../http/api.error.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonPage } from '../http/json.page.js';
import { HistoryQuery, TransactionListQuery } from './transaction.filters.js';
import { FindTransaction, ListTransactions, ReadHistory } from './transactions.handlers.js';
import { TRANSACTION_ENDPOINTS } from './transactions.docs.js';

const noTransaction = () => notFound('There is no such transaction.');

/** Another merchant's transaction is not found (`docs/spec/authentication.md#ownership`). */
@ApiTags('Transactions')
@Controller('v1/transactions')
@MerchantApi(TRANSACTION_ENDPOINTS)
export class TransactionsController {
  constructor(private readonly queries: QueryBus) {}

  /** Operations on payments and on stored cards, each from its request on. */
  @Get()
  async listTransactions(
    @Context() { merchant }: RequestContext,
    @Query() query: TransactionListQuery,
  ): Promise<JsonPage> {
    const list = await this.queries.execute(new ListTransactions(query.request(merchant.id)));
    return query.page(list, (text) => text);
  }

  @Get(':id')
  async getTransaction(
    @Context() { merchant }: RequestContext,
    @Param('id') id: string,
  ): Promise<TransactionResult> {
    const found = await this.queries.execute(new FindTransaction(merchant.id, id));
    if (!found) throw noTransaction();
    return found;
  }

  /** Oldest first. Events that are recorded between two pages do not move the place of a cursor. */
  @Get(':id/events')
  async listTransactionEvents(
    @Context() { merchant }: RequestContext,
    @Param('id') id: string,
    @Query() query: HistoryQuery,
  ): Promise<ListPage<HistoryItem>> {
    const { offset: from, limit } = query;
    const history = await this.queries.execute(new ReadHistory(merchant.id, id, { from, limit }));
    if (!history) throw noTransaction();
    const data = history.entries.map(historyItem);
    const nextCursor = history.end ? null : query.nextCursor(String(from + data.length));
    return { data, hasMore: nextCursor !== null, nextCursor };
  }
}
