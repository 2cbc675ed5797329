import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Payments } from '@tillstream/payments';
import { PAYMENTS } from '../api.parts.js';

type Found = Awaited<ReturnType<Payments['find']>>;
type History = Awaited<ReturnType<Payments['history']>>;

export class FindTransaction extends Query<Found> {
  constructor(
    readonly merchantId: string,
    readonly transactionId: string,
  ) {
    super();
  }
}

export class ReadHistory extends Query<History> {
  constructor(
    readonly merchantId: string,
    readonly transactionId: string,
    readonly page: { readonly from: number; readonly limit: number },
  ) {
    super();
  }
}

@QueryHandler(FindTransaction)
export class FindTransactionHandler implements IQueryHandler<FindTransaction> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ merchantId, transactionId }: FindTransaction): Promise<Found> {
    return this.payments.find(merchantId, transactionId);
  }
}

@QueryHandler(ReadHistory)
export class ReadHistoryHandler implements IQueryHandler<ReadHistory> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ merchantId, transactionId, page }: ReadHistory): Promise<History> {
    return this.payments.history(merchantId, transactionId, page);
  }
}

export const TRANSACTION_QUERY_HANDLERS = [FindTransactionHandler, ReadHistoryHandler];
