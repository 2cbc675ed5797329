import type { Adjustment } from '../batch/index.js';
import { ImpossibleHistory } from '../shared/aggregate.js';
import {
  settlementIdFromStream,
  settlementIdOf,
  streamOfSettlement,
  streamOfSettlementPage,
  type SettledItem,
  type SettlementEvent,
  type SettlementStarted,
} from './settlement.events.js';
import {
  createSettlement,
  evolveSettlementPage,
  foldSettlement,
  foldSettlementPage,
  fundSettlement,
  nextSettlementPage,
  noSettlementPage,
  startSettlement,
  type Settlement,
  type SettlementDecision,
} from './settlement.js';
import { addItems, feeOfItem, NO_SUMS, sumOfAmounts } from './settlement.sums.js';
import {
  BATCH_ID,
  expectedTotals,
  operationId,
  PRICING,
  SETTLEMENT_ID,
  settledItem,
  settlementStarted,
} from './testing/settlements.testing.js';

const at = '2026-03-06T03:00:02.000Z';
const starting = (more: Partial<SettlementStarted> = {}): SettlementEvent => ({
  type: 'SettlementStarted',
  data: settlementStarted(more),
});
const eventsOrCode = (decision: SettlementDecision) =>
  decision.kind === 'Accepted' ? decision.events : decision.rejection.code;
const priced = (item: SettledItem): SettledItem => {
  const fee = feeOfItem(PRICING, item);
  return { ...item, ...(fee && { fee: { feeId: `fee_${item.operationId.slice(4)}`, ...fee } }) };
};
const sale = priced(settledItem({ amount: 10_000 }));
const refund = priced(settledItem({ operationId: operationId(2), type: 'Refund', amount: -2_500 }));
const returned = priced(settledItem({ type: 'Return', returnId: 'r1', amount: -4_000 }));
const chargeback = priced(settledItem({ type: 'Chargeback', chargebackId: 'c1', amount: -900 }));

function create(items: readonly SettledItem[], more: Partial<SettlementStarted> = {}) {
  const sums = addItems(NO_SUMS, items);
  const { sales, refunds, returns, chargebacks } = sums;
  const takenBack = { count: returns.count + chargebacks.count, amount: returns.amount + chargebacks.amount };
  const expected = expectedTotals({ sales, refunds, returns: takenBack });
  const history = [starting({ expected, pricing: PRICING, ...more })];
  const events = eventsOrCode(createSettlement(foldSettlement(history), { at, pages: 1, sums }));
  if (typeof events === 'string') return { history, rejected: events };
  return { history: [...history, ...events], created: events[0]?.data as Settlement['created'] };
}

describe('a settlement', () => {
  it('is started once, and the first start counts', () => {
    const other = settlementStarted({ fundingType: 'Gross' });
    expect(eventsOrCode(startSettlement(foldSettlement([]), other))).toMatchObject([{ data: other }]);
    expect(eventsOrCode(startSettlement(foldSettlement([starting()]), other))).toEqual([]);
  });

  it('with net funding pays sales minus refunds and fees, and takes returns and chargebacks back', () => {
    const { created } = create([sale, refund, returned, chargeback]);
    expect(created).toMatchObject({
      grossAmount: 10_000,
      refundAmount: 2_500,
      feeAmount: 190 + 13 + 30 + 500 + 1_500,
      adjustmentAmount: -4_900,
      amount: 10_000 - 2_500 - 2_233 - 4_900,
      transactionCount: 4,
      lines: [
        { type: 'Sales', count: 1, amount: 10_000 },
        { type: 'Refunds', count: 1, amount: -2_500 },
        { type: 'Returns', count: 1, amount: -4_000 },
        { type: 'Chargebacks', count: 1, amount: -900 },
        { type: 'Fees', feeType: 'Interchange', count: 1, amount: -190 },
        { type: 'Fees', feeType: 'Scheme', count: 1, amount: -13 },
        { type: 'Fees', feeType: 'Markup', count: 1, amount: -30 },
        { type: 'ReturnFees', count: 1, amount: -500 },
        { type: 'ChargebackFees', count: 1, amount: -1_500 },
      ],
    });
  });

  it('with gross funding pays out without fees, and shows them', () => {
    const { created } = create([sale], { fundingType: 'Gross' });
    expect(created).toMatchObject({ amount: 10_000, feeAmount: 233, lines: [{ type: 'Sales' }] });
  });

  it('can be negative', () => {
    expect(create([refund, chargeback]).created).toMatchObject({ amount: -2_500 - 900 - 1_500 });
  });

  const adjustment = (kind: Adjustment['kind']): Adjustment => ({
    ...{ adjustmentId: kind, kind, at, amount: -995 },
    ...(kind === 'Manual' ? { reason: 'Goodwill' } : { month: '2026-02' }),
  });
  it.each([
    ['Net', 'MonthlyFee', { feeAmount: 995, adjustmentAmount: 0 }],
    ['Gross', 'MonthFees', { feeAmount: 0, adjustmentAmount: -995 }],
    ['Gross', 'MonthlyFee', { feeAmount: 0, adjustmentAmount: -995 }],
    ['Net', 'Manual', { feeAmount: 0, adjustmentAmount: -995 }],
  ] as const)('with %s funding charges a %s in a line of its own', (fundingType, kind, expected) => {
    const { created } = create([], { fundingType, adjustments: [adjustment(kind)] });
    expect(created).toMatchObject({ amount: -995, ...expected, lines: [{ count: 1, amount: -995 }] });
  });

  it('is never created with items that differ from what the batch closed with', () => {
    const expected = expectedTotals({ sales: { count: 1, amount: 9_999 } });
    expect(create([sale], { expected }).rejected).toBe('WrongTotals');
    expect(
      create([sale, refund], { expected: expectedTotals({ sales: { count: 1, amount: 10_000 } }) }).rejected,
    ).toBe('WrongTotals');
    expect(create([returned], { expected: expectedTotals() }).rejected).toBe('WrongTotals');
  });

  it('is created once', () => {
    const { history } = create([sale]);
    expect(eventsOrCode(createSettlement(foldSettlement(history), { at, pages: 1, sums: NO_SUMS }))).toEqual(
      [],
    );
    expect(eventsOrCode(createSettlement(foldSettlement([]), { at, pages: 1, sums: NO_SUMS }))).toBe(
      'SettlementNotFound',
    );
  });

  it('is funded once, by an operator at any time, by the clock not before its date', () => {
    const { history } = create([sale]);
    const pending = foldSettlement(history);
    const early = { at: '2026-03-06T04:59:59.999Z' };
    expect(eventsOrCode(fundSettlement(pending, { ...early, cause: 'Clock' }))).toBe('FundingNotDue');
    const funded = eventsOrCode(fundSettlement(pending, { ...early, cause: 'Operator' }));
    expect(funded).toEqual([{ type: 'SettlementFunded', data: { ...early, cause: 'Operator' } }]);
    const due = { at: '2026-03-06T05:00:00.000Z', cause: 'Clock' } as const;
    expect(eventsOrCode(fundSettlement(pending, due))).toEqual([{ type: 'SettlementFunded', data: due }]);
    const after = foldSettlement([...history, { type: 'SettlementFunded', data: due }]);
    expect(after).toMatchObject({ status: 'Funded', fundedAt: due.at });
    expect(eventsOrCode(fundSettlement(after, { at, cause: 'Operator' }))).toEqual([]);
  });

  it('is not funded before it is created', () => {
    for (const history of [[], [starting()]]) {
      const decision = fundSettlement(foldSettlement(history), { at, cause: 'Operator' });
      expect(eventsOrCode(decision)).toBe('SettlementNotFound');
    }
  });

  it.each([
    ['is started twice', [starting(), starting()]],
    [
      'is funded before it is created',
      [starting(), { type: 'SettlementFunded', data: { at, cause: 'Clock' } }],
    ],
    ['begins with its funding', [{ type: 'SettlementFunded', data: { at, cause: 'Clock' } }]],
  ] as [string, SettlementEvent[]][])('whose history %s is impossible', (_title, history) => {
    expect(() => foldSettlement(history)).toThrow(ImpossibleHistory);
  });
});

describe('the fee of an item', () => {
  it('is the sum of its lines', () => {
    expect(feeOfItem(PRICING, sale)).toMatchObject({ source: 'Transaction', amount: 233 });
    expect(sumOfAmounts(sale.fee?.lines ?? [])).toBe(233);
  });

  it('is nothing for a refund, without a template, and where no rule fits', () => {
    expect(feeOfItem(PRICING, refund)).toBeUndefined();
    expect(feeOfItem(undefined, sale)).toBeUndefined();
    expect(feeOfItem({ ...PRICING, rules: [], returnFee: 0 }, sale)).toBeUndefined();
    expect(feeOfItem({ ...PRICING, returnFee: 0 }, returned)).toBeUndefined();
  });
});

describe('the pages of a settlement', () => {
  const state = foldSettlement([starting()]) as Settlement;
  const lastRow = { part: 'Operations', createdAt: 1, operationId: operationId(1) } as const;

  it('are numbered, and each has the sums of all items so far', () => {
    const first = nextSettlementPage(state, undefined, { at, items: [sale], lastRow, isLast: false });
    const second = nextSettlementPage(state, first, { at, items: [refund], lastRow, isLast: true });
    expect([first.page, second.page]).toEqual([1, 2]);
    expect(first.settledAt).toBe(state.createdAt);
    expect(second.sums).toEqual(addItems(NO_SUMS, [sale, refund]));
  });

  it('are charged once, and only with gross funding', () => {
    const page = nextSettlementPage(state, undefined, { at, items: [sale], lastRow, isLast: true });
    const settled = (fundingType: 'Net' | 'Gross') =>
      ({ type: 'PageSettled', data: { ...page, fundingType } }) as const;
    const charged = {
      type: 'PageFeesCharged',
      data: { at, settlementId: 'stl_2', month: '2026-03' },
    } as const;
    expect(foldSettlementPage([settled('Gross'), charged])).toMatchObject({ charged: charged.data });
    for (const history of [[charged], [settled('Net'), charged], [settled('Gross'), charged, charged]]) {
      expect(() => foldSettlementPage(history)).toThrow(ImpossibleHistory);
    }
    const again = () =>
      evolveSettlementPage(foldSettlementPage([settled('Net')], noSettlementPage), settled('Net'));
    expect(again).toThrow(ImpossibleHistory);
  });
});

describe('the id of a settlement', () => {
  it('follows from its batch and kind', () => {
    expect(settlementIdOf(BATCH_ID, 'Card')).toBe(SETTLEMENT_ID);
    expect(settlementIdOf(BATCH_ID, 'Bank')).toBe('stl_01JQ0000000000000000000001');
    expect(settlementIdOf('bat_01JQ000000000000000000000Z', 'Bank')).toBe('stl_01JQ000000000000000000000Y');
  });

  it('gives its streams', () => {
    expect(streamOfSettlement(SETTLEMENT_ID)).toBe('settlement-01JQ0000000000000000000000');
    expect(settlementIdFromStream('settlement-01JQ0000000000000000000000')).toBe(SETTLEMENT_ID);
    expect(streamOfSettlementPage(SETTLEMENT_ID, 2)).toBe('settlementpage-01JQ0000000000000000000000.2');
    for (const text of ['', 'stl_', BATCH_ID, `${SETTLEMENT_ID}\n`])
      expect(streamOfSettlement(text)).toBeUndefined();
  });
});
