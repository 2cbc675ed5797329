import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type {
  FeeChargeFilters,
  FeeChargeSort,
  List,
  ListItem,
  ListRequest,
  ReadModelQueries,
  SettledTransactionFilters,
  SettledTransactionSort,
  SettlementFilters,
  SettlementSort,
} from '@tillstream/read-models';
import { FEE_CHARGE_LIST, SETTLED_TRANSACTION_LIST, SETTLEMENT_LIST } from '../api.parts.js';

export class ListSettlements extends Query<List<ListItem>> {
  constructor(readonly request: ListRequest<SettlementFilters, SettlementSort>) {
    super();
  }
}

@QueryHandler(ListSettlements)
export class ListSettlementsHandler implements IQueryHandler<ListSettlements> {
  constructor(@Inject(SETTLEMENT_LIST) private readonly settlements: ReadModelQueries['settlements']) {}

  execute({ request }: ListSettlements): Promise<List<ListItem>> {
    return this.settlements.list(request);
  }
}

/** As JSON text. Undefined: unknown or another merchant's. */
export class FindSettlement extends Query<string | undefined> {
  constructor(
    readonly merchantId: string,
    readonly settlementId: string,
  ) {
    super();
  }
}

@QueryHandler(FindSettlement)
export class FindSettlementHandler implements IQueryHandler<FindSettlement> {
  constructor(@Inject(SETTLEMENT_LIST) private readonly settlements: ReadModelQueries['settlements']) {}

  execute({ merchantId, settlementId }: FindSettlement): Promise<string | undefined> {
    return this.settlements.find(merchantId, settlementId);
  }
}

export class ListSettledTransactions extends Query<List<ListItem>> {
  constructor(readonly request: ListRequest<SettledTransactionFilters, SettledTransactionSort>) {
    super();
  }
}

@QueryHandler(ListSettledTransactions)
export class ListSettledTransactionsHandler implements IQueryHandler<ListSettledTransactions> {
  constructor(
    @Inject(SETTLED_TRANSACTION_LIST)
    private readonly settledTransactions: ReadModelQueries['settledTransactions'],
  ) {}

  execute({ request }: ListSettledTransactions): Promise<List<ListItem>> {
    return this.settledTransactions.list(request);
  }
}

export class ListFeeCharges extends Query<List<ListItem>> {
  constructor(readonly request: ListRequest<FeeChargeFilters, FeeChargeSort>) {
    super();
  }
}

@QueryHandler(ListFeeCharges)
export class ListFeeChargesHandler implements IQueryHandler<ListFeeCharges> {
  constructor(@Inject(FEE_CHARGE_LIST) private readonly feeCharges: ReadModelQueries['feeCharges']) {}

  execute({ request }: ListFeeCharges): Promise<List<ListItem>> {
    return this.feeCharges.list(request);
  }
}

export const SETTLEMENT_HANDLERS = [
  ListSettlementsHandler,
  FindSettlementHandler,
  ListSettledTransactionsHandler,
  ListFeeChargesHandler,
];
