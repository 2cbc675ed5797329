import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLEMENT_PAGE_ROWS_MAX, sumOfAmounts } from '@tillstream/domain';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import {
  batches,
  closeBatches,
  closeBatchesSetup,
  closeFirstBatch,
  createOtherBatches,
  loadBatch,
  moveClockTo,
  openBatchesSetup,
  operator,
  saleOf,
  setup,
  voidOf,
} from '../testing/batches.setup.js';
import { MemoryBatchItems } from '../testing/memory-batch-items.js';
import { approveTemplate, chargeBack, items, pages, settlements } from '../testing/settlements.setup.js';

beforeEach(openBatchesSetup);
afterEach(closeBatchesSetup);

const refundOf = (originalTransactionId: string, amount: number) =>
  setup.useCases.payments.refund(setup.context(), { originalTransactionId, amount });
const only = async () => {
  const [one, ...others] = await settlements();
  if (!one || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} settlements`);
  return one;
};

describe('a closed batch', () => {
  it('makes one settlement at once, with the fees of the template in effect', async () => {
    await approveTemplate();
    const [first] = [await saleOf(10_000), await saleOf(2_550)];
    const batch = await closeFirstBatch();
    const settlement = await only();
    expect(settlement).toMatchObject({
      status: 'Pending',
      settlementId: `stl_${batch?.id.slice(4)}`,
      merchantId: setup.merchant.id,
      currency: 'USD',
      kind: 'Card',
      fundingType: 'Net',
      pricing: { name: 'Retail', version: 1 },
      expectedFundingDate: '2026-03-03',
      fundingDueAt: '2026-03-03T05:00:00.000Z',
      created: {
        grossAmount: 12_550,
        refundAmount: 0,
        feeAmount: 190 + 56 + 30 + 11,
        adjustmentAmount: 0,
        amount: 12_263,
        transactionCount: 2,
        pages: 1,
      },
    });
    expect(await items()).toMatchObject([
      {
        operationId: first,
        type: 'Sale',
        amount: 10_000,
        channel: 'CardPresent',
        cardType: 'VISA',
        gatewayTransactionId: expect.any(String),
        fee: {
          feeId: `fee_${first.slice(4)}`,
          source: 'Transaction',
          amount: 220,
          lines: [
            { type: 'Interchange', amount: 190 },
            { type: 'Markup', amount: 30 },
          ],
        },
      },
      // 180 bps of 2550 are 45.9, and 25 bps are 6.375.
      { amount: 2_550, fee: { lines: [{ amount: 56 }, { amount: 11 }] } },
    ]);
    expect(await loadBatch(1)).toMatchObject({
      settlements: [
        { settlementId: settlement.settlementId, kind: 'Card', transactionCount: 2, amount: 12_263 },
      ],
    });
  });

  it('without an approved template has no fees', async () => {
    await approveTemplate({ validFrom: '2027-01-01T00:00:00.000Z' });
    await saleOf(1_000);
    await closeBatches('USD');
    expect(await only()).toMatchObject({ created: { amount: 1_000, feeAmount: 0 } });
    expect((await only()).pricing).toBeUndefined();
  });

  it('settles what is left after voids, and nothing of a payment that was voided', async () => {
    const [sale, gone] = [await saleOf(1_000), await saleOf(500)];
    await voidOf(sale, 300);
    await voidOf(gone);
    await closeBatches('USD');
    expect(await items()).toMatchObject([{ operationId: sale, amount: 700 }]);
    expect(await only()).toMatchObject({ created: { transactionCount: 1, amount: 700 } });
  });

  it('that is empty makes none, and one of each currency makes its own', async () => {
    await closeBatches();
    expect(await settlements()).toEqual([]);
    const cad = await setup.addTerminal('CAD', false);
    await saleOf(100);
    await saleOf(200, { paymentMethodId: cad.id });
    await closeBatches();
    expect((await settlements()).map(({ currency, created }) => [currency, created?.amount]).sort()).toEqual([
      ['CAD', 200],
      ['USD', 100],
    ]);
  });

  it('of refunds only makes a negative settlement', async () => {
    await approveTemplate();
    const sale = await saleOf(1_000);
    await closeBatches('USD');
    await refundOf(sale, 400);
    await closeBatches('USD');
    const [, second] = await settlements();
    expect(second).toMatchObject({
      created: { amount: -400, refundAmount: 400, grossAmount: 0, feeAmount: 0 },
    });
    expect((await items(second?.settlementId))[0]).toMatchObject({
      type: 'Refund',
      originalOperationId: sale,
    });
  });

  it('takes a chargeback back, with its fee, and is not empty with it', async () => {
    await approveTemplate();
    const sale = await saleOf(1_000);
    await closeBatches('USD');
    await chargeBack(sale, 1_000);
    await chargeBack(sale, 1_000);
    expect(await closeFirstBatch()).toMatchObject({ status: 'Closed', transactionCount: 1, amount: -1_000 });
    const [, second] = await settlements();
    expect(second).toMatchObject({
      created: {
        amount: -2_500,
        adjustmentAmount: -1_000,
        feeAmount: 1_500,
        grossAmount: 0,
        refundAmount: 0,
      },
    });
    expect(await items(second?.settlementId)).toMatchObject([
      {
        type: 'Chargeback',
        chargebackId: 'cbk_1',
        amount: -1_000,
        fee: { source: 'Chargeback', amount: 1_500 },
      },
    ]);
    expect(await closeFirstBatch()).toMatchObject({ status: 'Open' });
  });

  it('with a sale and its chargeback settles both', async () => {
    const sale = await saleOf(1_000);
    await chargeBack(sale, 600);
    await closeBatches('USD');
    expect((await items()).map(({ type, amount }) => [type, amount])).toEqual([
      ['Sale', 1_000],
      ['Chargeback', -600],
    ]);
    expect(await only()).toMatchObject({ created: { amount: 400 } });
  });

  it('counts bank holidays and weekends out of the expected date', async () => {
    const holidays = (_currency: string, year: number) =>
      Promise.resolve(year === 2026 ? ['2026-03-09'] : []);
    const other = createOtherBatches(undefined, undefined, { bankHolidays: holidays });
    moveClockTo('2026-03-06T20:00:00.000Z');
    await saleOf(100);
    await closeBatches('USD', other);
    await other.stop();
    expect(await only()).toMatchObject({
      expectedFundingDate: '2026-03-10',
      fundingDueAt: '2026-03-10T04:00:00.000Z',
    });
  });

  it('larger than a page has pages whose sums add up', async () => {
    await approveTemplate();
    const count = SETTLEMENT_PAGE_ROWS_MAX + 1;
    for (let number = 1; number <= count; number++) await saleOf(number);
    await closeBatches('USD');
    const all = await items();
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(count);
    expect((await pages()).map((page) => [page.page, page.items.length, page.isLast])).toEqual([
      [1, SETTLEMENT_PAGE_ROWS_MAX, false],
      [2, 1, true],
    ]);
    const { created } = await only();
    expect(created).toMatchObject({
      pages: 2,
      transactionCount: count,
      grossAmount: sumOfAmounts(all),
      feeAmount: sumOfAmounts(all.flatMap(({ fee }) => (fee ? [fee] : []))),
    });
  }, 60_000);
});

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
