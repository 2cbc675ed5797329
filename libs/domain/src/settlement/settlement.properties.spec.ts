import fc from 'fast-check';
import type { SettledItem, SettledItemType, SettlementPricing } from './settlement.events.js';
import { createSettlement, foldSettlement, nextSettlementPage, type Settlement } from './settlement.js';
import { addItems, feeOfItem, NO_SUMS, sumOfAmounts } from './settlement.sums.js';
import {
  expectedTotals,
  operationId,
  PRICING,
  settledItem,
  settlementStarted,
} from './testing/settlements.testing.js';

const options = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };

const rule = fc.record(
  {
    feeType: fc.constantFrom('Interchange' as const, 'Scheme' as const, 'Markup' as const),
    rateBps: fc.integer({ min: 0, max: 10_000 }),
    fixedAmount: fc.integer({ min: 0, max: 500 }),
    channel: fc.constantFrom('CardPresent' as const, 'Token' as const, 'Ach' as const),
    cardType: fc.constantFrom('VISA' as const, 'AMEX' as const),
  },
  { requiredKeys: ['feeType', 'rateBps', 'fixedAmount'] },
);
const pricing: fc.Arbitrary<SettlementPricing | undefined> = fc.option(
  fc
    .record({ rules: fc.array(rule), returnFee: fc.nat(900), chargebackFee: fc.nat(9_000) })
    .map((chosen) => ({
      ...PRICING,
      ...chosen,
    })),
  { nil: undefined },
);
const TYPES: readonly SettledItemType[] = [
  'Sale',
  'Capture',
  'Refund',
  'UnreferencedRefund',
  'Return',
  'Chargeback',
];
const item = fc.record({
  type: fc.constantFrom(...TYPES),
  amount: fc.integer({ min: 1, max: 999_999_999 }),
  channel: fc.constantFrom('CardPresent' as const, 'Token' as const, 'Ach' as const),
  cardType: fc.constantFrom('VISA' as const, 'AMEX' as const),
});
const adjustment = fc.record({
  kind: fc.constantFrom('MonthlyFee' as const, 'MonthFees' as const, 'Manual' as const),
  amount: fc.integer({ min: -100_000, max: 100_000 }),
});

describe('every settlement', () => {
  it('has totals that are the sums of its lines, its lines of its items, and its fees of their lines', () => {
    fc.assert(
      fc.property(
        fc.record({
          items: fc.array(item, { maxLength: 40 }),
          pricing,
          adjustments: fc.array(adjustment, { maxLength: 3 }),
        }),
        fc.constantFrom('Net' as const, 'Gross' as const),
        fc.array(fc.nat(40), { maxLength: 4 }),
        ({ items: drawn, pricing: template, adjustments: made }, fundingType, cuts) => {
          const items = drawn.map((one, index) => settled(one, index, template));
          const adjustments = made.map((one, index) => ({
            ...one,
            adjustmentId: `a${index}`,
            at: '2026-03-06',
          }));
          const start = settlementStarted({ fundingType, adjustments, expected: totalsOf(items) });
          const state = foldSettlement([{ type: 'SettlementStarted', data: start }]) as Settlement;
          const sums = sumsOfPages(state, items, cuts);
          expect(sums).toEqual(addItems(NO_SUMS, items));
          const decision = createSettlement(state, { at: start.at, pages: cuts.length + 1, sums });
          const [event] = decision.kind === 'Accepted' ? decision.events : [];
          if (event?.type !== 'SettlementCreated') throw new Error(JSON.stringify(decision));
          const { data } = event;
          const fees = sumOfAmounts(items.flatMap(({ fee }) => (fee ? [fee] : [])));
          const monthly = adjustments.filter(({ kind }) => fundingType === 'Net' && kind === 'MonthlyFee');
          expect(sumOfAmounts(data.lines)).toBe(data.amount);
          expect(data.feeAmount).toBe(fees - sumOfAmounts(monthly));
          expect(data.amount).toBe(
            sumOfAmounts(items) + sumOfAmounts(adjustments) - (fundingType === 'Net' ? fees : 0),
          );
          const { grossAmount, refundAmount, feeAmount, adjustmentAmount } = data;
          expect(data.amount).toBe(
            grossAmount - refundAmount - (fundingType === 'Net' ? feeAmount : 0) + adjustmentAmount,
          );
          for (const amount of [grossAmount, refundAmount]) expect(amount).toBeGreaterThanOrEqual(0);
          for (const { fee } of items) if (fee) expect(fee.amount).toBe(sumOfAmounts(fee.lines));
          expect(foldSettlement([event], state)).toMatchObject({ status: 'Pending', created: data });
        },
      ),
      options,
    );
  });
});

function settled(
  { amount, ...one }: Pick<SettledItem, 'type' | 'amount' | 'channel' | 'cardType'>,
  index: number,
  template: SettlementPricing | undefined,
): SettledItem {
  const isSale = one.type === 'Sale' || one.type === 'Capture';
  const made = settledItem({ ...one, operationId: operationId(index), amount: isSale ? amount : -amount });
  const fee = feeOfItem(template, made);
  return { ...made, ...(fee && { fee: { ...fee, feeId: `fee_${index}` } }) };
}

/** What the batch that took the items closed with. */
function totalsOf(items: readonly SettledItem[]) {
  const of = (...types: SettledItemType[]) => {
    const those = items.filter(({ type }) => types.includes(type));
    return { count: those.length, amount: sumOfAmounts(those) };
  };
  const parts = { sales: of('Sale', 'Capture'), refunds: of('Refund', 'UnreferencedRefund') };
  return expectedTotals({ ...parts, returns: of('Return', 'Chargeback') });
}

/** The sums of the last page, if the items are cut into pages at these places. */
function sumsOfPages(state: Settlement, items: readonly SettledItem[], cuts: readonly number[]) {
  const places = [...cuts.map((cut) => Math.min(cut, items.length)).sort((a, b) => a - b), items.length];
  const lastRow = { part: 'Operations', createdAt: 1, operationId: operationId(1) } as const;
  let page: ReturnType<typeof nextSettlementPage> | undefined;
  let from = 0;
  for (const to of places) {
    const rows = { at: '2026-03-06', items: items.slice(from, to), lastRow, isLast: to === items.length };
    page = nextSettlementPage(state, page, rows);
    from = to;
  }
  return page?.sums ?? NO_SUMS;
}
