import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TransactionResult } from '@tillstream/contracts';
import { parseOperationId } from '@tillstream/domain';
import type { Payments, StoredCards } from '@tillstream/payments';
import type {
  List,
  ListRequest,
  ReadModelQueries,
  TransactionFilters,
  TransactionSort,
} from '@tillstream/read-models';
import { LISTS, PAYMENTS, STORED_CARDS } from '../api.parts.js';
import { queryOf } from '../use-case.js';
import { TransactionResults } from './transaction.results.js';

/** Undefined: unknown, or another merchant's. */
export class FindTransaction extends Query<TransactionResult | undefined> {
  constructor(
    readonly merchantId: string,
    readonly transactionId: string,
  ) {
    super();
  }
}

/** The items are JSON texts of results. */
export class ListTransactions extends Query<List<string>> {
  constructor(readonly request: ListRequest<TransactionFilters, TransactionSort>) {
    super();
  }
}

export class ReadHistory extends queryOf(PAYMENTS, 'history') {}

@QueryHandler(FindTransaction)
export class FindTransactionHandler implements IQueryHandler<FindTransaction> {
  constructor(
    @Inject(PAYMENTS) private readonly payments: Payments,
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
    private readonly results: TransactionResults,
  ) {}

  async execute({ merchantId, transactionId }: FindTransaction): Promise<TransactionResult | undefined> {
    const ofToken = parseOperationId(transactionId)?.category === 'token';
    const found = await (ofToken ? this.storedCards : this.payments).find(merchantId, transactionId);
    return found && this.results.one(found);
  }
}

@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    private readonly results: TransactionResults,
  ) {}

  async execute({ request }: ListTransactions): Promise<List<string>> {
    const page = await this.lists.transactions.list(request);
    return { ...page, items: await this.results.rows(page.items) };
  }
}
