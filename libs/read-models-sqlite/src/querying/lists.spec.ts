import fc from 'fast-check';
import type { TransactionResult } from '@tillstream/contracts';
import type { PaymentState, TokenState } from '@tillstream/domain';
import { MemoryEventStore } from '@tillstream/event-store';
import { transactionResult, tokenOperationResult } from '@tillstream/presentation';
import { ControlDatabase } from '../generations/control.database.js';
import { openReadModels } from '../open-read-models.js';
import type {
  ListRequest,
  PageKey,
  ReadModels,
  TransactionFilters,
  TransactionItem,
  TransactionSort,
} from '@tillstream/read-models';
import { choosing, type Happened, Lives, MERCHANTS } from '@tillstream/read-models/testing';
import { LiveReader } from './live.reader.js';
import { queriesOn } from './queries.js';
import { newFolder } from '../testing/folder.testing.js';

type Request = ListRequest<TransactionFilters, TransactionSort>;

/** A transaction as the model has it. */
interface Known {
  readonly merchantId: string;
  readonly methodId: string;
  readonly result: TransactionResult;
}

describe('the list of transactions', () => {
  const place = newFolder();
  let models: ReadModels;
  let control: ControlDatabase;
  let reader: LiveReader;
  const known = new Map<string, Known>();

  beforeAll(async () => {
    const store = new MemoryEventStore();
    models = await openReadModels({ directory: place.folder, store });
    control = new ControlDatabase(place.folder);
    reader = new LiveReader(control);
    await new Lives(store, choosing(20260803), {
      streams: 120,
      categories: ['payment', 'payment', 'token'],
    }).live(2_500, async (one) => {
      remember(known, one);
      const written = { stream: one.stream, state: one.state, events: one.appended };
      await models.writer.writeThrough(one.category, written as never);
    });
  }, 60_000);
  afterAll(async () => {
    await reader.close();
    control.close();
    await models.stop();
    place.remove();
  });

  /** However few rows are looked at one by one: all the ways to a list have to lead to the same one. */
  it.each([2_000, 3])(
    'gives what a plain look at everything gives, page by page, with any filters, sorts and page sizes (%s)',
    async (narrow) => {
      const all = [...known.values()];
      const queries = queriesOn(reader, { narrow });
      await fc.assert(
        fc.asyncProperty(
          requests(all),
          fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
          async (request, limits) => {
            const expected = model(all, request).map(({ result }) => result.id);
            const found = await everyPage(queries, request, () => limits.next().value as number);
            expect(found.map(({ id }) => id)).toEqual(expected);
            const { total } = await queries.transactions.list({ ...request, limit: 1, includeTotal: true });
            expect(total).toEqual({ count: expected.length, isAtLeast: false });
          },
        ),
        { numRuns: 300 },
      );
    },
    100_000,
  );

  it('every body is the transaction as it is answered, to the byte', async () => {
    for (const merchantId of MERCHANTS) {
      for (const { id, body } of await everyPage(models.queries, { merchantId, limit: 100 }, () => 100)) {
        expect(body).toBe(JSON.stringify(known.get(id)?.result));
      }
    }
  });

  it('each filter meets something, and leaves something out', async () => {
    const all = [...known.values()].filter(({ merchantId }) => merchantId === MERCHANTS[0]);
    for (const filters of oneByOne(all)) {
      const count = model(all, { merchantId: MERCHANTS[0], limit: 1, filters }).length;
      expect([filters, count > 0 && count < all.length]).toEqual([filters, true]);
    }
  });

  it('a reference id that the service would have made finds nothing where the client gave one', async () => {
    const given = [...known.values()].filter(({ result }) => !result.referenceId.startsWith('ref_'));
    expect(given.length).toBeGreaterThan(10);
    for (const { merchantId, result } of given) {
      const filters = { referenceId: [`ref_${result.id.slice('trx_'.length)}`] };
      expect((await models.queries.transactions.list({ merchantId, filters, limit: 1 })).items).toEqual([]);
    }
  });

  it.each([0, 101, 1.5])('a page of %s is refused', async (limit) => {
    const asked = (async () => models.queries.transactions.list({ merchantId: 'mer_A', limit }))();
    await expect(asked).rejects.toThrow('a page has 1 to 100 rows');
  });

  it('a filter without values matches nothing', async () => {
    const { items, next } = await models.queries.transactions.list({
      merchantId: MERCHANTS[0],
      filters: { status: [] },
      limit: 10,
    });
    expect([items, next]).toEqual([[], null]);
  });
});

async function everyPage(
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

function remember(known: Map<string, Known>, { category, state }: Happened): void {
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

/** What a list means, said as plainly as can be (`decisions.md` 6). */
function model(all: readonly Known[], { merchantId, filters = {}, sort }: Request): Known[] {
  const is = <T>(wanted: readonly T[] | undefined, value: T | undefined): boolean =>
    wanted === undefined || (value !== undefined && wanted.includes(value));
  const within = (from: string | undefined, to: string | undefined, value: string): boolean =>
    (from === undefined || value >= from) && (to === undefined || value < to);
  const fits = ({ result, merchantId: owner, methodId }: Known): boolean => {
    const { amount } = result;
    const bounded = filters.amountMin !== undefined || filters.amountMax !== undefined;
    return (
      owner === merchantId &&
      is(filters.id, result.id) &&
      is(filters.referenceId, result.referenceId) &&
      is(filters.originalTransactionId, result.originalTransactionId) &&
      is(filters.type, result.type) &&
      is(filters.status, result.status) &&
      is(filters.responseCode, result.transactionResponses[0]?.responseCode) &&
      is(filters.paymentMethodId, methodId) &&
      is(filters.accountHolderId, result.accountHolderId) &&
      is(filters.invoiceNumber, result.invoiceNumber) &&
      is(filters.orderNumber, result.orderNumber) &&
      is(filters.cardType, result.transactionResponses[0]?.cardType) &&
      is(filters.currency, result.currency as string) &&
      is(filters.batchId, result.batchId) &&
      is(filters.settlementId, result.settlementId) &&
      (!bounded ||
        (amount !== undefined &&
          amount >= (filters.amountMin ?? 0) &&
          amount <= (filters.amountMax ?? Infinity))) &&
      within(filters.createdFrom, filters.createdTo, result.createdAt) &&
      within(filters.updatedFrom, filters.updatedTo, result.updatedAt)
    );
  };
  const { by, descending } = sort ?? { by: 'createdAt', descending: true };
  const place = ({ result }: Known): readonly [string | number, string] => [
    by === 'amount' ? (result.amount ?? -1) : result[by],
    result.id,
  ];
  return all.filter(fits).sort((a, b) => {
    const [one, other] = [place(a), place(b)];
    const order = one[0] === other[0] ? (one[1] < other[1] ? -1 : 1) : one[0] < other[0] ? -1 : 1;
    return descending ? -order : order;
  });
}

/** Values that occur, and some that do not. */
function requests(all: readonly Known[]): fc.Arbitrary<Request> {
  const occurring = <T>(of: (known: Known) => T | undefined, never: T): fc.Arbitrary<T[]> => {
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

function oneByOne(all: readonly Known[]): TransactionFilters[] {
  const first = <T>(of: (known: Known) => T | undefined): T =>
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
