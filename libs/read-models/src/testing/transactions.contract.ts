import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryEventStore } from '@tillstream/event-store';
import type { ReadModels } from '../read-models.types.js';
import { seededChoice, MERCHANTS } from './random-decisions.testing.js';
import { RandomHistories } from './random-histories.testing.js';
import type { OpenLists } from './lists.under-test.js';
import {
  readAllPages,
  expectedTransactions,
  singleFilters,
  applyAppend,
  requestArbitrary,
  type ModelTransaction,
} from './transactions.model.js';

/** Appends random events and writes them through. @returns the transactions that the list should have */
export async function listedTransactions(
  models: ReadModels,
  store: MemoryEventStore,
): Promise<Map<string, ModelTransaction>> {
  const known = new Map<string, ModelTransaction>();
  await new RandomHistories(store, seededChoice(20260803), {
    streams: 120,
    categories: ['payment', 'payment', 'token'],
  }).run(2_500, async (append) => {
    applyAppend(known, append);
    const written = { stream: append.stream, state: append.state, events: append.appended };
    await models.writer.writeThrough(append.category, written as never);
  });
  return known;
}

/** Any filters, sorts and page sizes give the rows of the plain model. */
export async function expectTransactionsOfModel(
  queries: ReadModels['queries'],
  all: readonly ModelTransaction[],
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      requestArbitrary(all),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      async (request, limits) => {
        const expected = expectedTransactions(all, request).map(({ result }) => result.id);
        const found = await readAllPages(queries, request, () => limits.next().value as number);
        expect(found.map(({ id }) => id)).toEqual(expected);
        const { total } = await queries.transactions.list({ ...request, limit: 1, includeTotal: true });
        expect(total).toEqual({ count: expected.length, isAtLeast: false });
      },
    ),
    { numRuns: 300 },
  );
}

export function transactionsContract(openLists: OpenLists): void {
  describe('the list of transactions', () => {
    const place = openLists();
    let models: ReadModels;
    let known: ReadonlyMap<string, ModelTransaction>;

    beforeAll(async () => {
      const store = new MemoryEventStore();
      models = await place.open({ store });
      known = await listedTransactions(models, store);
    }, 300_000);
    afterAll(async () => {
      await models.stop();
      await place.remove();
    });

    it('equals the plain model, page by page, with any filters, sorts and page sizes', async () => {
      await expectTransactionsOfModel(models.queries, [...known.values()]);
    }, 100_000);

    it('has the response of each transaction as its body, byte for byte', async () => {
      for (const merchantId of MERCHANTS) {
        for (const { id, body } of await readAllPages(
          models.queries,
          { merchantId, limit: 100 },
          () => 100,
        )) {
          expect(body).toBe(JSON.stringify(known.get(id)?.result));
        }
      }
    });

    it('matches some rows with each filter, and not all', async () => {
      const all = [...known.values()].filter(({ merchantId }) => merchantId === MERCHANTS[0]);
      for (const filters of singleFilters(all)) {
        const count = expectedTransactions(all, { merchantId: MERCHANTS[0], limit: 1, filters }).length;
        expect([filters, count > 0 && count < all.length]).toEqual([filters, true]);
      }
    });

    it('finds nothing by a generated reference id if the client gave one', async () => {
      const given = [...known.values()].filter(({ result }) => !result.referenceId.startsWith('ref_'));
      expect(given.length).toBeGreaterThan(10);
      for (const { merchantId, result } of given) {
        const filters = { referenceId: [`ref_${result.id.slice('trx_'.length)}`] };
        expect((await models.queries.transactions.list({ merchantId, filters, limit: 1 })).items).toEqual([]);
      }
    });

    it.each([0, 101, 1.5])('refuses a page of %s rows', async (limit) => {
      const listing = (async () => models.queries.transactions.list({ merchantId: 'mer_A', limit }))();
      await expect(listing).rejects.toThrow('a page has 1 to 100 rows');
    });

    it('matches nothing with a filter without values', async () => {
      const { items, next } = await models.queries.transactions.list({
        merchantId: MERCHANTS[0],
        filters: { status: [] },
        limit: 10,
      });
      expect([items, next]).toEqual([[], null]);
    });
  });
}
