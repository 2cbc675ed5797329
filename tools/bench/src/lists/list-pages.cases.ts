import type { PageKey, ProjectionName, ReadModels } from '@tillstream/read-models';
import { manyRowsIds, MERCHANT, middleOf } from '@tillstream/read-models/testing';

/* The pages that `list-pages.bench.ts` asks for. */

const PAGE = 25;
/** Above every id. */
const LAST_ID = '~';
const COLUMNS: Readonly<Record<string, string>> = {
  createdAt: 'created_at',
  updatedAt: 'created_at',
  settledAt: 'created_at',
  chargedAt: 'created_at',
  amount: 'amount',
};

export interface PageCase {
  readonly name: string;
  readonly isDeep: boolean;
  read(models: ReadModels): Promise<{ readonly items: readonly unknown[] }>;
}

export interface ListCases {
  readonly path: string;
  /** @param count rows of the list */
  cases(count: number): readonly PageCase[];
}

interface Request {
  readonly merchantId: string;
  readonly filters: object;
  readonly sort: { readonly by: string; readonly descending: boolean };
  readonly after?: PageKey;
  readonly limit: number;
}

type Ids = ReturnType<typeof manyRowsIds>;

interface ListPages {
  readonly projection: ProjectionName;
  readonly sorts: readonly [time: string, ...others: string[]];
  /** Each with all sorts. */
  filters(ids: Ids): readonly object[];
  /** Bounds of the time, with its sort. */
  range(ids: Ids): object;
  list(models: ReadModels, request: Request): Promise<{ readonly items: readonly unknown[] }>;
}

const PAGES: Readonly<Record<string, ListPages>> = {
  '/transactions': {
    projection: 'transactions',
    sorts: ['createdAt', 'updatedAt', 'amount'],
    filters: ({ settlementId, transactionId }) => [
      ...[{ type: ['Sale'] }, { cardType: ['VISA'] }, { status: ['Interrupted'] }, { currency: ['CAD'] }],
      ...[{ settlementId: [settlementId] }, { id: [transactionId] }],
    ],
    range: () => ({ createdFrom: '2026-01-05T08:01:00.000Z', createdTo: '2026-01-05T08:03:00.000Z' }),
    list: ({ queries }, request) => queries.transactions.list(request as never),
  },
  '/settlements': {
    projection: 'settlements',
    sorts: ['createdAt', 'amount'],
    filters: () => [{ currency: ['USD'] }, { currency: ['CAD'] }, { status: ['Pending'] }],
    range: () => ({ settledFrom: '2026-01-05T09:00:00.000Z', settledTo: '2026-01-05T10:00:00.000Z' }),
    list: ({ queries }, request) => queries.settlements.list(request as never),
  },
  '/settlements/transactions': {
    projection: 'settled_transactions',
    sorts: ['settledAt', 'amount'],
    filters: ({ settlementId, batchId, transactionId }) => [
      ...[{ transactionType: ['Sale'] }, { transactionType: ['Chargeback'] }],
      ...[{ settlementId: [settlementId] }, { batchId: [batchId] }, { transactionId: [transactionId] }],
    ],
    range: ({ from: settledFrom, to: settledTo }) => ({ settledFrom, settledTo }),
    list: ({ queries }, request) => queries.settledTransactions.list(request as never),
  },
  '/fee-charges': {
    projection: 'fee_charges',
    sorts: ['chargedAt', 'amount'],
    filters: ({ settlementId }) => [
      ...[{ status: ['Charged'] }, { source: ['Monthly'] }, { settlementId: [settlementId] }],
    ],
    range: ({ from: chargedFrom, to: chargedTo }) => ({ chargedFrom, chargedTo }),
    list: ({ queries }, request) => queries.feeCharges.list(request as never),
  },
};

export const LISTS: readonly ListCases[] = Object.entries(PAGES).map(([path, pages]) => ({
  path,
  cases: (count) => casesOf(pages, count),
}));

function casesOf({ projection, sorts, filters, range, list }: ListPages, count: number): PageCase[] {
  const ids = manyRowsIds(count);
  const page = (by: string, chosen: object, isDeep: boolean): PageCase => {
    const value = middleOf(projection, COLUMNS[by] ?? by, count);
    const request: Request = {
      ...{ merchantId: MERCHANT, filters: chosen, sort: { by, descending: true }, limit: PAGE },
      ...(isDeep && { after: { value, id: LAST_ID } }),
    };
    const name = `by ${by}, ${Object.entries(chosen).join(' ').replaceAll(',', ' ') || 'no filter'}`;
    return { name, isDeep, read: (models) => list(models, request) };
  };
  const [byTime] = sorts;
  const first = sorts.flatMap((by) => [{}, ...filters(ids)].map((chosen) => page(by, chosen, false)));
  // An id names one row or one settlement, which is no deep list.
  const isLong = (chosen: object): boolean => !Object.keys(chosen).some((name) => /id$/i.test(name));
  const deep = sorts.flatMap((by) =>
    [{}, ...filters(ids)].filter(isLong).map((chosen) => page(by, chosen, true)),
  );
  return [...first, page(byTime, range(ids), false), ...deep];
}
