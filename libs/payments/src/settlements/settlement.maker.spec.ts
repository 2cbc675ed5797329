import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLEMENT_PAGE_ROWS_MAX, sumOfAmounts } from '@tillstream/domain';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import {
  batches,
  closeBatches,
  closeBatchesSetup,
  createOtherBatches,
  loadBatch,
  moveClockTo,
  openBatchesSetup,
  operator,
  saleOf,
  setup,
} from '../testing/batches.setup.js';
import { MemoryBatchItems } from '../testing/memory-batch-items.js';
import { approveTemplate, items, pages, settlements } from '../testing/settlements.setup.js';

beforeEach(openBatchesSetup);
afterEach(closeBatchesSetup);

const only = async () => {
  const [one, ...others] = await settlements();
  if (!one || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} settlements`);
  return one;
};

describe('a settlement', () => {
  const withoutTimes = async () =>
    JSON.stringify([await settlements(), await pages()]).replaceAll(
      /"(at|createdAt|settledAt)":"[^"]+"/g,
      '""',
    );

  it('is the same whatever append fails or loses its answer, and a repeat adds nothing', async () => {
    await approveTemplate();
    await saleOf(1_000);
    await saleOf(501);
    const before = setup.store.appends.length;
    await closeBatches('USD');
    // After the closing and its two items: the batch, its settlement, a page, the totals, and the end.
    const appends = setup.store.appends.slice(before).map(({ events }) => events.at(-1)?.type);
    expect(appends.slice(3)).toEqual([
      'BatchClosed',
      'SettlementStarted',
      'PageSettled',
      'SettlementCreated',
      'BatchSettled',
    ]);
    for (const type of appends.slice(3)) {
      for (const fault of [
        { kind: 'Unavailable' },
        { kind: 'LoseAnswer', written: true },
        { kind: 'LoseAnswer', written: false },
        { kind: 'Conflict' },
      ] as const) {
        const sale = await saleOf(777);
        setup.store.inject(fault, { when: ({ events }) => events.some((event) => event.type === type) });
        await closeBatches('USD');
        const made = (await items()).filter(({ operationId }) => operationId === sale);
        expect([type, fault, made.length]).toEqual([type, fault, 1]);
      }
    }
    for (const { created, status } of await settlements()) {
      expect(status).toBe('Pending');
      expect(sumOfAmounts(created?.lines ?? [])).toBe(created?.amount);
    }
    const known = await withoutTimes();
    await closeBatches('USD');
    expect(await withoutTimes()).toBe(known);
  }, 60_000);

  it('is continued after its last page, and few reads find it', async () => {
    const sales = 20 * SETTLEMENT_PAGE_ROWS_MAX + 1;
    for (let sale = 0; sale < sales; sale++) await saleOf(100);
    const isLast = ({ stream }: { readonly stream: string }): boolean => stream.endsWith('.21');
    setup.store.inject({ kind: 'Unavailable' }, { when: isLast });
    const reads = jest.spyOn(setup.store, 'readStream');
    await closeBatches('USD');
    expect(await only()).toMatchObject({
      status: 'Pending',
      created: { pages: 21, transactionCount: sales },
    });
    const pagesRead = reads.mock.calls.filter(([stream]) => stream.startsWith('settlementpage-'));
    expect(pagesRead.length).toBeLessThanOrEqual(12);
  }, 60_000);

  it('is made once by two processes at a time', async () => {
    await approveTemplate();
    for (const amount of [100, 250, 375]) await saleOf(amount);
    const twins = [0, 1].map(() =>
      createOtherBatches(new MemoryBatchItems(setup.memory), new MemoryLeases()),
    );
    await Promise.all(twins.map((twin) => closeBatches('USD', twin)));
    await Promise.all(twins.map((twin) => twin.stop()));
    expect(await only()).toMatchObject({
      status: 'Pending',
      created: { grossAmount: 725, transactionCount: 3 },
    });
    expect(await items()).toHaveLength(3);
    expect((await loadBatch(1))?.settlements).toHaveLength(1);
  });

  it('is not created if the rows lack an item, and the next batch waits', async () => {
    await saleOf(100);
    const lost = await saleOf(200);
    const lacking = new MemoryBatchItems(setup.memory);
    const { batchRows } = MemoryBatchItems.prototype;
    lacking.batchRows = async (request) => {
      const rows = await batchRows.call(lacking, request);
      return rows.filter(({ operationId }) => operationId !== lost);
    };
    const blind = createOtherBatches(lacking);
    const closing = closeBatches('USD', blind);
    while (!setup.alerts.includes('settlement-not-created')) await sleep(1);
    setup.clock.pass(10_000);
    await closing;
    await saleOf(300);
    moveClockTo('2026-03-05T15:00:00.000Z');
    const due = blind.runDue(100);
    setup.clock.pass(1_000);
    expect(await due).toEqual({ ran: 0, pending: 1 });
    await blind.stop();
    expect((await only()).status).toBe('Started');
    expect(await loadBatch(2)).toBeUndefined();
  });

  it('is funded by the clock of the sandbox when its date begins', async () => {
    await saleOf(100);
    await closeBatches('USD');
    moveClockTo('2026-03-03T04:59:59.999Z');
    expect(await batches.runDue(1_000)).toEqual({ ran: 0, pending: 0 });
    moveClockTo('2026-03-03T05:00:00.000Z');
    expect(await batches.runDue(1_000)).toEqual({ ran: 1, pending: 0 });
    expect(await only()).toMatchObject({ status: 'Funded', fundedAt: '2026-03-03T05:00:00.000Z' });
  });

  it('in live mode is funded by an operator only, once', async () => {
    await saleOf(100);
    const live = createOtherBatches(undefined, undefined, { fundsByClock: false });
    await closeBatches('USD', live);
    moveClockTo('2026-03-05T00:00:00.000Z');
    expect(await live.runDue(1_000)).toEqual({ ran: 0, pending: 0 });
    const { settlementId } = await only();
    const funded = await live.fundSettlement({ actor: operator, settlementId });
    expect(funded).toMatchObject({ status: 'Funded', fundedAt: '2026-03-05T00:00:00.000Z' });
    setup.clock.pass(1_000);
    expect(await live.fundSettlement({ actor: operator, settlementId })).toEqual(funded);
    for (const unknown of ['stl_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'stl_1', '']) {
      expect(await live.fundSettlement({ actor: operator, settlementId: unknown })).toBeUndefined();
    }
    await live.stop();
  });
});
