import { SETTLEMENT_PAGE_ROWS_MAX, sumOfAmounts } from '@tillstream/domain';
import {
  closeBatches,
  closeBatchesSetup,
  closeFirstBatch,
  createOtherBatches,
  loadBatch,
  moveClockTo,
  openBatchesSetup,
  saleOf,
  setup,
  voidOf,
} from '../testing/batches.setup.js';
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
    const first = await saleOf(10_000);
    // Items are in the order of their requests.
    setup.clock.pass(1);
    await saleOf(2_550);
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
