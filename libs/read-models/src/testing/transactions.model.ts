import fc from 'fast-check';
import type { PresentedResult } from '@tillstream/presentation';
import type { PaymentState, TokenState } from '@tillstream/domain';
import { tokenOperationResult, transactionResult } from '@tillstream/presentation';
import type {
  ListRequest,
  PageKey,
  ReadModels,
  TransactionFilters,
  TransactionItem,
  TransactionSort,
} from '../read-models.types.js';
import { MERCHANTS } from './random-decisions.testing.js';
import type { RandomAppend } from './random-histories.testing.js';

/* The plain model of the list of transactions. */

type Request = ListRequest<TransactionFilters, TransactionSort>;

export interface ModelTransaction {
  readonly merchantId: string;
  readonly methodId: string;
  readonly result: PresentedResult;
}

/** Reads all pages of a list. `limit` gives the size of each page. */
export async function readAllPages(
  queries: ReadModels['queries'],
  request: Request,
  limit: () => number,
): Promise<readonly TransactionItem[]> {
  const items: TransactionItem[] = [];
  let after: PageKey | null | undefined;
  for (let pages = 0; after !== null; pages++) {
    const size = limit();
    const page = await queries.transactions.list({ ...request, limit: size, ...(after && { after }) });
    if (page.next && page.items.length !== size) throw new Error('only the last page is short');
    items.push(...page.items);
    after = page.next;
    if (pages > 5_000) throw new Error('pages without end');
  }
  return items;
}

/** Adds to the model what the list should have after this append. */
export function applyAppend(known: Map<string, ModelTransaction>, { category, state }: RandomAppend): void {
  if (category === 'payment') {
    const payment = state as PaymentState;
    if (payment.status === 'None') return;
    for (const { id, kind } of payment.operations) {
      if (kind === 'Reversal') continue;
      const { merchantId } = payment;
      known.set(id, {
        merchantId,
        methodId: payment.paymentMethod.id,
        result: transactionResult(payment, id),
      });
    }
  }
  if (category === 'token') {
    const token = state as TokenState;
    if (token.status === 'None') return;
    const { removedAt: _removedAt, ...kept } = token;
    for (const { id } of token.operations) {
      const result = tokenOperationResult(kept, id);
      known.set(id, { merchantId: token.merchantId, methodId: result.paymentMethod.id, result });
    }
  }
}

/** The value of a transaction that each filter with a list of values is compared with. */
const VALUES: Readonly<Record<string, (known: ModelTransaction) => string | number | undefined>> = {
  id: ({ result }) => result.id,
  referenceId: ({ result }) => result.referenceId,
  originalTransactionId: ({ result }) => result.originalTransactionId,
  type: ({ result }) => result.type,
  status: ({ result }) => result.status,
  responseCode: ({ result }) => result.transactionResponses[0]?.responseCode,
  paymentMethodId: ({ methodId }) => methodId,
  accountHolderId: ({ result }) => result.accountHolderId,
  invoiceNumber: ({ result }) => result.invoiceNumber,
  orderNumber: ({ result }) => result.orderNumber,
  cardType: ({ result }) => result.transactionResponses[0]?.cardType,
  currency: ({ result }) => result.currency,
  batchId: ({ result }) => result.batchId,
  settlementId: ({ result }) => result.settlementId,
};

function fits(known: ModelTransaction, filters: TransactionFilters): boolean {
  const { amount, createdAt, updatedAt } = known.result;
  const { amountMin, amountMax, createdFrom, createdTo, updatedFrom, updatedTo } = filters;
  const within = (from: string | undefined, to: string | undefined, value: string): boolean =>
    (from === undefined || value >= from) && (to === undefined || value < to);
  const isUnbounded = amountMin === undefined && amountMax === undefined;
  const isBounded = (cents: number): boolean => cents >= (amountMin ?? 0) && cents <= (amountMax ?? Infinity);
  const lists = filters as Readonly<Record<string, readonly unknown[] | undefined>>;
  return (
    Object.entries(VALUES).every(([name, valueOf]) => lists[name]?.includes(valueOf(known)) ?? true) &&
    (isUnbounded || (amount !== undefined && isBounded(amount))) &&
    within(createdFrom, createdTo, createdAt) &&
    within(updatedFrom, updatedTo, updatedAt)
  );
}

/** The meaning of a list request (`docs/spec/lists.md`), without any index. */
export function expectedTransactions(
  all: readonly ModelTransaction[],
  { merchantId, filters = {}, sort }: Request,
): ModelTransaction[] {
  const { by, descending } = sort ?? { by: 'createdAt', descending: true };
  const place = ({ result }: ModelTransaction): readonly [string | number, string] => [
    by === 'amount' ? (result.amount ?? -1) : result[by],
    result.id,
  ];
  const listed = all.filter((known) => known.merchantId === merchantId && fits(known, filters));
  return listed.sort((a, b) => {
    const [one, other] = [place(a), place(b)];
    const order = one[0] === other[0] ? (one[1] < other[1] ? -1 : 1) : one[0] < other[0] ? -1 : 1;
    return descending ? -order : order;
  });
}

/** Requests with values that occur, and some that do not. */
export function requestArbitrary(all: readonly ModelTransaction[]): fc.Arbitrary<Request> {
  const occurring = <T>(of: (known: ModelTransaction) => T | undefined, never: T): fc.Arbitrary<T[]> => {
    const values = [...new Set(all.flatMap((one) => of(one) ?? []))] as T[];
    return fc.array(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...values) },
        { weight: 1, arbitrary: fc.constant(never) },
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
  };
  const time = fc.constantFrom(...all.flatMap(({ result }) => [result.createdAt, result.updatedAt]));
  const amount = fc.integer({ min: 0, max: 2_000 });
  const anything = {
    id: occurring(({ result }) => result.id, 'trx_none'),
    referenceId: occurring(({ result }) => result.referenceId, 'ref_01JQ0000000000000000009P00'),
    originalTransactionId: occurring(({ result }) => result.originalTransactionId, 'trx_none'),
    type: occurring(({ result }) => result.type, 'TokenRemove'),
    status: occurring(({ result }) => result.status, 'Expired'),
    responseCode: occurring(({ result }) => result.transactionResponses[0]?.responseCode, 99),
    paymentMethodId: occurring(({ methodId }) => methodId, 'pmt_none'),
    accountHolderId: occurring(({ result }) => result.accountHolderId, 'acc_none'),
    invoiceNumber: occurring(({ result }) => result.invoiceNumber, 'none'),
    orderNumber: occurring(({ result }) => result.orderNumber, 'none'),
    cardType: occurring(({ result }) => result.transactionResponses[0]?.cardType, 'none'),
    currency: occurring(({ result }) => result.currency as string, 'none'),
    batchId: occurring(({ result }) => result.batchId, 'none'),
    amountMin: amount,
    amountMax: amount,
    createdFrom: time,
    createdTo: time,
    updatedFrom: time,
    updatedTo: time,
  };
  const names = Object.keys(anything) as (keyof typeof anything)[];
  const filters = fc
    .subarray(names, { minLength: 0, maxLength: 3 })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, anything[name]]))));
  return fc.record({
    merchantId: fc.constantFrom(...MERCHANTS, 'mer_none'),
    filters: filters as fc.Arbitrary<TransactionFilters>,
    sort: fc.record({
      by: fc.constantFrom('createdAt' as const, 'updatedAt' as const, 'amount' as const),
      descending: fc.boolean(),
    }),
    limit: fc.constant(1),
  });
}

/** Each filter with a value that occurs. */
export function singleFilters(all: readonly ModelTransaction[]): TransactionFilters[] {
  const first = <T>(of: (known: ModelTransaction) => T | undefined): T =>
    all.map(of).find((value) => value !== undefined) as T;
  return [
    { type: [first(({ result }) => result.type)] },
    { status: [first(({ result }) => result.status)] },
    { responseCode: [first(({ result }) => result.transactionResponses[0]?.responseCode)] },
    { cardType: [first(({ result }) => result.transactionResponses[0]?.cardType)] },
    { currency: ['CAD'] },
    { referenceId: [first(({ result }) => result.referenceId)] },
    { originalTransactionId: [first(({ result }) => result.originalTransactionId)] },
    { paymentMethodId: [first(({ methodId }) => methodId)] },
    { accountHolderId: [first(({ result }) => result.accountHolderId)] },
    { invoiceNumber: [first(({ result }) => result.invoiceNumber)] },
    { orderNumber: [first(({ result }) => result.orderNumber)] },
    { batchId: [first(({ result }) => result.batchId)] },
    { amountMin: 500 },
    { amountMax: 500 },
  ];
}
