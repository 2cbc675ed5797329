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
} from '../testing/batches.setup.js';
import { MemoryBatchItems } from '../testing/memory-batch-items.js';
import {
  approveTemplate,
  changeMerchant,
  chargeBack,
  monthEndEvents,
  pages,
  settlements,
} from '../testing/settlements.setup.js';

beforeEach(openBatchesSetup);
afterEach(closeBatchesSetup);

/** In America/New_York, the merchant's zone. */
const APRIL = '2026-04-01T04:00:00.000Z';
const CUT_OFF_OF_APRIL_1 = '2026-04-02T02:00:00.000Z';
const MAY = '2026-05-01T04:00:00.000Z';
const CUT_OFF_OF_MAY_1 = '2026-05-02T02:00:00.000Z';

async function runAt(time: string): Promise<void> {
  moveClockTo(time);
  expect(await batches.runDue(5_000)).toMatchObject({ pending: 0 });
}
const last = async () => (await settlements()).at(-1);
const chargedPages = async () =>
  (await pages()).map(({ items, charged }) => [items.map(({ fee }) => fee?.amount), charged?.month]);

describe('the end of a month with net funding', () => {
  it('debits the monthly fee with the next settlement, as a fee', async () => {
    await approveTemplate();
    await runAt('2026-04-01T03:59:59.999Z');
    expect(await loadBatch(1)).toBeUndefined();
    await runAt(APRIL);
    const fee = { kind: 'MonthlyFee', amount: -995, month: '2026-03', at: APRIL };
    expect(await loadBatch(1)).toMatchObject({ status: 'Open', adjustments: [fee] });
    expect(await settlements()).toEqual([]);
    await runAt(CUT_OFF_OF_APRIL_1);
    expect(await loadBatch(1)).toMatchObject({ status: 'Closed', totals: { transactionCount: 0 } });
    expect(await settlements()).toMatchObject([
      {
        kind: 'Card',
        adjustments: [{ ...fee, feeId: expect.stringMatching(/^fee_/) }],
        created: {
          ...{ amount: -995, feeAmount: 995, adjustmentAmount: 0, grossAmount: 0, transactionCount: 0 },
          pages: 0,
          lines: [{ type: 'MonthlyFee', month: '2026-03', count: 1, amount: -995 }],
        },
      },
    ]);
    expect((await monthEndEvents()).map(({ type }) => type)).toEqual([
      'MonthEnded',
      'MonthAssigned',
      'MonthCharged',
    ]);
  });

  it('takes the fee of the template that is in effect at the last millisecond', async () => {
    await approveTemplate();
    await approveTemplate({ monthlyFee: 1_200, validFrom: '2026-04-01T03:59:59.999Z' });
    await approveTemplate({ monthlyFee: 7_000, validFrom: APRIL });
    await runAt(APRIL);
    expect(await loadBatch(1)).toMatchObject({ adjustments: [{ amount: -1_200 }] });
  });

  it('adds it to the payments of the day, and only once a month', async () => {
    await approveTemplate();
    await runAt(APRIL);
    await saleOf(10_000);
    await runAt(CUT_OFF_OF_APRIL_1);
    expect(await last()).toMatchObject({ created: { amount: 10_000 - 220 - 995, feeAmount: 1_215 } });
    await saleOf(10_000);
    await runAt('2026-04-03T02:00:00.000Z');
    expect(await last()).toMatchObject({ created: { amount: 10_000 - 220 } });
  });

  it('costs nothing without a fee, for a disabled merchant, and in its second currency', async () => {
    await approveTemplate({ monthlyFee: 0 });
    await runAt(APRIL);
    expect(await monthEndEvents()).toEqual([]);
    await approveTemplate();
    await setup.useCases.provisioning.setMerchantDisabled(operator, setup.merchant.id, { disabled: true });
    await runAt(MAY);
    expect([await monthEndEvents(), await monthEndEvents('CAD')]).toEqual([[], []]);
  });

  it('comes with midnight of the merchant’s zone', async () => {
    await changeMerchant({ timeZone: 'America/Vancouver' });
    await approveTemplate();
    await runAt('2026-04-01T06:59:00.000Z');
    expect(await monthEndEvents()).toEqual([]);
    await runAt('2026-04-01T07:00:00.000Z');
    expect(await monthEndEvents()).toMatchObject([
      { data: { month: '2026-03', endedAt: '2026-04-01T07:00:00.000Z' } },
      { type: 'MonthAssigned' },
    ]);
  });

  it('of months that were missed debits each of them once', async () => {
    await approveTemplate();
    await runAt('2026-07-04T12:00:00.000Z');
    expect((await loadBatch(1))?.adjustments.map(({ month }) => month)).toEqual([
      '2026-03',
      '2026-04',
      '2026-05',
      '2026-06',
    ]);
    await runAt('2026-07-05T02:00:00.000Z');
    expect(await last()).toMatchObject({ created: { amount: -3_980 } });
    expect(await loadBatch(2)).toBeUndefined();
  });
});

it('The clock can pass the end of a month and the next cut-off at once: that batch takes the fee', async () => {
  await approveTemplate();
  moveClockTo('2026-04-01T03:00:00.000Z');
  await saleOf(10_000);
  await runAt('2026-04-02T12:00:00.000Z');
  const [closing, adjustments] = [{ cutOffAt: CUT_OFF_OF_APRIL_1 }, [{ amount: -995, month: '2026-03' }]];
  expect(await loadBatch(1)).toMatchObject({ closing, adjustments });
  expect(await last()).toMatchObject({ created: { amount: 10_000 - 220 - 995 } });
  expect(await loadBatch(2)).toBeUndefined();
});

it('Of months that were missed for many years the last 24 have a monthly fee, and no pending fee is lost', async () => {
  await changeMerchant({ fundingType: 'Gross' });
  await approveTemplate();
  await saleOf(10_000);
  await closeBatches('USD');
  await runAt('2400-03-01T12:00:00.000Z');
  const adjustments = (await loadBatch(2))?.adjustments ?? [];
  expect(adjustments.filter(({ kind }) => kind === 'MonthlyFee')).toHaveLength(24);
  expect(adjustments.filter(({ kind }) => kind === 'MonthFees')).toMatchObject([
    { amount: -220, month: '2398-03' },
  ]);
  expect(adjustments.at(-1)).toMatchObject({ month: '2400-02' });
});

describe('the end of a month with gross funding', () => {
  it('charges the pending fees of the month, and no others', async () => {
    await changeMerchant({ fundingType: 'Gross' });
    await approveTemplate();
    const sale = await saleOf(10_000);
    await closeBatches('USD');
    await saleOf(2_550);
    await closeBatches('USD');
    await chargeBack(sale, 1_000);
    await closeBatches('USD');
    expect((await settlements()).map(({ created }) => created?.amount)).toEqual([10_000, 2_550, -1_000]);
    await runAt(APRIL);
    await saleOf(1_000);
    await runAt(CUT_OFF_OF_APRIL_1);
    const fees = 220 + 67 + 1_500;
    const settlement = await last();
    expect(settlement).toMatchObject({
      adjustments: [
        { kind: 'MonthlyFee', amount: -995 },
        { kind: 'MonthFees', amount: -fees, month: '2026-03' },
      ],
      created: { amount: 1_000 - 995 - fees, feeAmount: 35, adjustmentAmount: -995 - fees },
    });
    expect(await chargedPages()).toEqual([
      [[220], '2026-03'],
      [[67], '2026-03'],
      [[1_500], '2026-03'],
      [[35], undefined],
    ]);
    const [first] = await pages();
    expect(first?.charged).toEqual({
      at: settlement?.createdAt,
      settlementId: settlement?.settlementId,
      month: '2026-03',
    });
    await runAt(MAY);
    await runAt(CUT_OFF_OF_MAY_1);
    expect((await chargedPages()).at(-1)).toEqual([[35], '2026-04']);
    expect(await last()).toMatchObject({ created: { amount: -995 - 35 } });
  });

  it('waits for a batch of the month that is still to be closed', async () => {
    await changeMerchant({ fundingType: 'Gross' });
    await approveTemplate({ monthlyFee: 0 });
    moveClockTo('2026-03-31T20:00:00.000Z');
    await saleOf(10_000);
    // The cut-off of the last day and the end of the month come at once.
    await runAt('2026-04-01T05:00:00.000Z');
    expect(await loadBatch(1)).toMatchObject({ status: 'Closed', adjustments: [] });
    expect(await loadBatch(2)).toMatchObject({ adjustments: [{ kind: 'MonthFees', amount: -220 }] });
  });

  it('charges what an earlier funding type left pending', async () => {
    await changeMerchant({ fundingType: 'Gross' });
    await approveTemplate({ monthlyFee: 0 });
    await saleOf(10_000);
    await closeBatches('USD');
    await changeMerchant({ fundingType: 'Net' });
    await saleOf(10_000);
    await closeBatches('USD');
    await runAt(APRIL);
    await runAt(CUT_OFF_OF_APRIL_1);
    expect(await chargedPages()).toEqual([
      [[220], '2026-03'],
      [[220], undefined],
    ]);
    expect(await last()).toMatchObject({
      fundingType: 'Net',
      created: { amount: -220, adjustmentAmount: -220 },
    });
  });
});

describe('the end of a month', () => {
  const TYPES = ['MonthEnded', 'MonthAssigned', 'BatchAdjusted', 'PageFeesCharged', 'MonthCharged'];
  const FAULTS = [
    { kind: 'Unavailable' },
    { kind: 'LoseAnswer', written: true },
    { kind: 'LoseAnswer', written: false },
    { kind: 'Conflict' },
  ] as const;

  it.each(TYPES.flatMap((type) => FAULTS.map((fault) => [type, fault] as const)))(
    'costs the same if the append of %s meets %j',
    async (type, fault) => {
      await changeMerchant({ fundingType: 'Gross' });
      await approveTemplate();
      await saleOf(10_000);
      await closeBatches('USD');
      setup.store.inject(fault, { when: ({ events }) => events.some((event) => event.type === type) });
      await runAt(APRIL);
      await runAt(CUT_OFF_OF_APRIL_1);
      expect((await monthEndEvents()).map((event) => event.type)).toEqual([
        'MonthEnded',
        'MonthAssigned',
        'MonthCharged',
      ]);
      expect(await last()).toMatchObject({
        adjustments: [{ amount: -995 }, { amount: -220 }],
        created: { amount: -1_215 },
      });
      expect(await chargedPages()).toEqual([[[220], '2026-03']]);
      expect(await settlements()).toHaveLength(2);
    },
    30_000,
  );

  it('is handled once by two processes at a time', async () => {
    await changeMerchant({ fundingType: 'Gross' });
    await approveTemplate();
    await saleOf(10_000);
    await closeBatches('USD');
    const twins = [0, 1].map(() =>
      createOtherBatches(new MemoryBatchItems(setup.memory), new MemoryLeases()),
    );
    for (const time of [APRIL, CUT_OFF_OF_APRIL_1]) {
      moveClockTo(time);
      await Promise.all(twins.map((twin) => twin.runDue(5_000)));
    }
    await Promise.all(twins.map((twin) => twin.stop()));
    expect(await last()).toMatchObject({ adjustments: [{ amount: -995 }, { amount: -220 }] });
    expect(await monthEndEvents()).toHaveLength(3);
  });

  it('chooses another batch if the first one was closed without it', async () => {
    await approveTemplate();
    moveClockTo(APRIL);
    // The append fails after the batch was chosen, and an operator closes that batch before it is repeated.
    setup.store.inject(
      { kind: 'Unavailable' },
      {
        when: ({ events }) => events.some(({ type }) => type === 'BatchAdjusted'),
        before: async () => {
          await saleOf(10_000);
          await closeFirstBatch();
        },
      },
    );
    expect(await batches.runDue(5_000)).toMatchObject({ pending: 0 });
    expect(await loadBatch(1)).toMatchObject({ status: 'Closed', adjustments: [] });
    expect(await loadBatch(2)).toMatchObject({ status: 'Open', adjustments: [{ amount: -995 }] });
    expect((await monthEndEvents()).map(({ type }) => type)).toEqual([
      'MonthEnded',
      'MonthAssigned',
      'MonthAssigned',
    ]);
  });
});
