import { jest } from '@jest/globals';
import {
  moveClockTo,
  loadBatch,
  batches,
  batchOfOperation,
  closeBatchesSetup,
  closeFirstBatch,
  NO_ANSWER,
  openBatchesSetup,
  operator,
  saleOf,
  setup,
  voidOf,
} from '../testing/batches.setup.js';

beforeEach(openBatchesSetup);
afterEach(closeBatchesSetup);

describe('at the cut-off', () => {
  it('the batch takes the items before it, and the next batch those after it', async () => {
    const [first, second] = [await saleOf(1_000), await saleOf(250)];
    expect(await batches.runDue(1_000)).toEqual({ ran: 0, pending: 0 });
    moveClockTo('2026-03-03T02:59:59.999Z');
    expect(await batches.runDue(1_000)).toEqual({ ran: 0, pending: 0 });
    moveClockTo('2026-03-03T03:00:00.000Z');
    const after = await saleOf(70);
    expect(await batches.runDue(1_000)).toEqual({ ran: 1, pending: 0 });
    expect(await loadBatch(1)).toMatchObject({
      status: 'Closed',
      openedAt: setup.merchant.createdAt,
      closing: { cutOffAt: '2026-03-03T03:00:00.000Z', cause: 'CutOff' },
      totals: { transactionCount: 2, amount: 1_250, card: { sales: { count: 2, amount: 1_250 } } },
    });
    for (const id of [first, second])
      expect(await batchOfOperation(id)).toMatchObject({ id: (await loadBatch(1))?.id });
    expect(await batchOfOperation(after)).toBeUndefined();
    moveClockTo('2026-03-04T03:00:00.000Z');
    await batches.runDue(1_000);
    expect(await loadBatch(2)).toMatchObject({
      openedAt: '2026-03-03T03:00:00.000Z',
      totals: { transactionCount: 1, amount: 70 },
    });
  });

  it('in the merchant’s time zone, each currency has a batch of its own', async () => {
    const { provisioning, authentication } = setup.useCases;
    const kathmandu = await provisioning.createMerchant(operator, {
      ...setup.merchant,
      timeZone: 'Asia/Kathmandu',
    });
    for (const currency of ['USD', 'CAD'] as const) {
      await provisioning.addPaymentMethod(operator, kathmandu.id, {
        type: 'Physical',
        currency,
        isDefault: currency === 'USD',
      });
    }
    setup.merchant = (await authentication.readMerchant(kathmandu.id)) ?? kathmandu;
    const [, cad] = setup.merchant.paymentMethods;
    await saleOf(500);
    await saleOf(300, { paymentMethodId: cad?.id });
    moveClockTo('2026-03-02T16:14:59.999Z');
    expect((await batches.runDue(1_000)).ran).toBe(0);
    moveClockTo('2026-03-02T16:15:00.000Z');
    expect((await batches.runDue(1_000)).ran).toBe(2);
    expect(await loadBatch(1, 'USD')).toMatchObject({ currency: 'USD', totals: { amount: 500 } });
    expect(await loadBatch(1, 'CAD')).toMatchObject({ currency: 'CAD', totals: { amount: 300 } });
  });

  it.each([
    ['spring', '2026-03-07T12:00:00.000Z', ['2026-03-08T03:00:00.000Z', '2026-03-09T02:00:00.000Z']],
    ['autumn', '2026-10-31T12:00:00.000Z', ['2026-11-01T02:00:00.000Z', '2026-11-02T03:00:00.000Z']],
  ])('over the night of %s the days are as long as the clocks make them', async (_when, from, cutOffs) => {
    moveClockTo(from);
    for (const [index, cutOff] of cutOffs.entries()) {
      await saleOf(100);
      moveClockTo(new Date(Date.parse(cutOff) - 1).toISOString());
      await batches.runDue(1_000);
      expect(await loadBatch(index + 1)).toBeUndefined();
      moveClockTo(cutOff);
      await batches.runDue(1_000);
      expect((await loadBatch(index + 1))?.closing?.cutOffAt).toBe(cutOff);
    }
  });

  it('noticed days later, each day with items gets a batch with the right cut-off', async () => {
    await saleOf(100);
    moveClockTo('2026-03-05T15:00:00.000Z');
    await saleOf(20);
    await saleOf(3);
    moveClockTo('2026-03-14T15:00:00.000Z');
    // Two batches, and the funding of the settlement of each.
    expect(await batches.runDue(1_000)).toEqual({ ran: 4, pending: 0 });
    expect(await loadBatch(1)).toMatchObject({
      closing: { cutOffAt: '2026-03-03T03:00:00.000Z' },
      totals: { amount: 100 },
    });
    expect(await loadBatch(2)).toMatchObject({
      openedAt: '2026-03-03T03:00:00.000Z',
      closing: { cutOffAt: '2026-03-06T03:00:00.000Z' },
      totals: { amount: 23 },
    });
    expect(await loadBatch(3)).toBeUndefined();
  });

  it('changed by the merchant a moment ago, the new cut-off counts', async () => {
    jest.spyOn(setup.clock, 'monotonicNow').mockReturnValue(setup.clock.monotonicNow());
    await saleOf(100);
    expect((await batches.runDue(1_000)).ran).toBe(0);
    await setup.useCases.provisioning.changeMerchant(operator, setup.merchant.id, { cutOff: '11:00' });
    moveClockTo('2026-03-02T16:00:00.000Z');
    expect((await batches.runDue(1_000)).ran).toBe(1);
    expect((await loadBatch(1))?.closing?.cutOffAt).toBe('2026-03-02T16:00:00.000Z');
  });
});

describe('a batch item', () => {
  it('counts with its amount after voids, and not at all if it was voided in full', async () => {
    const [part, whole] = [await saleOf(1_000), await saleOf(500)];
    await voidOf(part, 400);
    await voidOf(whole);
    await saleOf(30);
    expect(await closeFirstBatch()).toMatchObject({ status: 'Closed', transactionCount: 2, amount: 630 });
    expect(await batchOfOperation(whole)).toBeUndefined();
    moveClockTo('2026-03-03T03:00:00.000Z');
    expect((await batches.runDue(1_000)).ran).toBe(0);
  });

  it('with a void in flight is left for the next batch, which takes the remaining amount', async () => {
    const [held, other] = [await saleOf(1_000_000), await saleOf(10)];
    await voidOf(held, NO_ANSWER);
    expect(await closeFirstBatch()).toMatchObject({ transactionCount: 1, amount: 10 });
    expect(await batchOfOperation(held)).toBeUndefined();
    expect(await batchOfOperation(other)).toBeDefined();
    expect(await setup.eventTypes(held)).toContain('LeftForNextBatch');
    await setup.untilResolved();
    expect(await closeFirstBatch()).toMatchObject({ transactionCount: 1, amount: 1_000_000 - NO_ANSWER });
    expect((await batchOfOperation(held))?.id).toBe((await loadBatch(2))?.id);
  });

  it('that is the only one and is left over keeps its batch open until the next closing', async () => {
    const held = await saleOf(1_000_000);
    await voidOf(held, NO_ANSWER);
    expect(await closeFirstBatch()).toMatchObject({ status: 'Open' });
    expect(await batches.runDue(1_000)).toEqual({ ran: 0, pending: 0 });
    await setup.untilResolved();
    expect(await closeFirstBatch()).toMatchObject({
      id: (await loadBatch(1))?.id,
      status: 'Closed',
      transactionCount: 1,
    });
  });

  it('that is left over causes one closing, and not one for each day that the clock jumped over', async () => {
    const held = await saleOf(1_000_000);
    await voidOf(held, NO_ANSWER);
    moveClockTo('2026-03-22T15:00:00.000Z');
    await batches.runDue(2_000);
    expect(await loadBatch(1)).toMatchObject({
      status: 'Open',
      closing: { number: 2, cutOffAt: '2026-03-22T02:00:00.000Z' },
    });
    moveClockTo('2027-03-22T15:00:00.000Z');
    await batches.runDue(2_000);
    expect(await loadBatch(1)).toMatchObject({ status: 'Open', closing: { number: 3 } });
  });

  it('appended after the closing started belongs to the next batch, even if it moved before the cut-off', async () => {
    await saleOf(100);
    const { clock } = setup;
    const original = setup.store.append.bind(setup.store);
    let late: string | undefined;
    setup.store.append = async (append) => {
      const result = await original(append);
      if (late === undefined && append.stream.startsWith('batch-')) {
        late = '';
        // The clock of the process that appends lags behind.
        clock.ahead -= 60_000;
        late = await saleOf(7);
        clock.ahead += 60_000;
      }
      return result;
    };
    expect(await closeFirstBatch()).toMatchObject({ transactionCount: 1, amount: 100 });
    expect(await batchOfOperation(late ?? '')).toBeUndefined();
    expect(await closeFirstBatch()).toMatchObject({ transactionCount: 1, amount: 7 });
  });

  it('can be voided until the batch takes it, and refunded after that', async () => {
    const sold = await saleOf(1_000);
    await closeFirstBatch();
    const rejection = await setup.useCases.payments.void(setup.context(), {
      originalTransactionId: sold,
    } as never);
    expect(rejection).toMatchObject({ kind: 'Rejected', rejection: { code: 'BatchClosed' } });
  });
});
