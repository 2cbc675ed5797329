import fc from 'fast-check';
import {
  addItems,
  feeOfItem,
  NO_SUMS,
  settlementLines,
  settlementTotals,
  type PricingRule,
  type SettledItem,
  type SettlementPricing,
} from '@tillstream/domain';
import { calculateFee, type CalculatedFee, type PricedItem } from './fee.calculation.js';
import type { ItemType } from './payment.items.js';
import {
  expectedLines,
  expectedSettlement,
  partOfItem,
  partsOfFee,
  type PartSum,
} from './settlement.expectation.js';
import { adjustmentEntries, feeEntries, fundingEntries } from './settlement.journal.js';
import { TrialBalance } from './trial.balance.js';

/* Two calculations that share no code, over random settlements. */

const options = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };
const OWNER = { merchantId: 'mer_1', currency: 'CAD' } as const;

const channel = fc.constantFrom('CardPresent' as const, 'Token' as const, 'Ach' as const);
const cardType = fc.constantFrom('VISA' as const, 'AMEX' as const, 'INTERAC' as const);
const rule: fc.Arbitrary<PricingRule> = fc.record(
  {
    feeType: fc.constantFrom('Interchange' as const, 'Scheme' as const, 'Markup' as const),
    rateBps: fc.integer({ min: 0, max: 10_000 }),
    fixedAmount: fc.integer({ min: 0, max: 500 }),
    channel,
    cardType,
  },
  { requiredKeys: ['feeType', 'rateBps', 'fixedAmount'] },
);
const template: fc.Arbitrary<SettlementPricing> = fc.record({
  templateId: fc.constant('prt_1'),
  version: fc.constant(1),
  name: fc.constant('Retail'),
  rules: fc.array(rule, { maxLength: 12 }),
  monthlyFee: fc.nat(2_000),
  returnFee: fc.nat(900),
  chargebackFee: fc.nat(9_000),
  validFrom: fc.constant('2026-01-01T00:00:00.000Z'),
});
const TYPES: readonly ItemType[] = [
  'Sale',
  'Capture',
  'Refund',
  'UnreferencedRefund',
  'Return',
  'Chargeback',
];
/** Amounts at which the rounding has exactly half a cent are frequent. */
const cents = fc.oneof(
  fc.integer({ min: 1, max: 999_999_999 }),
  fc.integer({ min: 1, max: 2_000 }).map((times) => times * 50),
);
const item: fc.Arbitrary<PricedItem> = fc
  .record({
    type: fc.constantFrom(...TYPES),
    amount: cents,
    channel,
    cardType: fc.option(cardType, { nil: undefined }),
  })
  .map((one) => (one.type === 'Sale' || one.type === 'Capture' ? one : { ...one, amount: -one.amount }));
const adjustment = fc.record({
  adjustmentId: fc.uuid(),
  kind: fc.constantFrom('MonthlyFee' as const, 'MonthFees' as const, 'Manual' as const),
  amount: fc.integer({ min: -100_000, max: 100_000 }),
});

const priced = ({ cardType: card, ...one }: PricedItem) => ({ ...one, ...(card && { cardType: card }) });

describe('a fee', () => {
  it('is the same as in the calculation of the domain, line by line', () => {
    fc.assert(
      fc.property(template, item, (pricing, one) => {
        expect(calculateFee(pricing, one)).toEqual(feeOfItem(pricing, priced(one)));
      }),
      { numRuns: options.numRuns * 5 },
    );
  });

  it.each([
    [50, 100, 0],
    [150, 100, 2],
    [250, 100, 2],
    [350, 100, 4],
  ])('of %i cents at %i bps is %i cents: half a cent goes to the even cent', (amount, rateBps, expected) => {
    const pricing = {
      templateId: 'prt_1',
      name: '',
      monthlyFee: 0,
      returnFee: 0,
      chargebackFee: 0,
      validFrom: '',
    };
    const rules = [{ feeType: 'Markup', rateBps, fixedAmount: 0 } as const];
    expect(calculateFee({ ...pricing, rules }, { type: 'Sale', channel: 'Token', amount })?.amount).toBe(
      expected,
    );
  });
});

describe('any settlement', () => {
  it('has the totals and lines of the domain’s own calculation, and its ledger balances and owes its amount', () => {
    fc.assert(
      fc.property(
        fc.record({ pricing: template, items: fc.array(item, { maxLength: 30 }) }),
        fc.array(adjustment, { maxLength: 4 }),
        fc.constantFrom('Net' as const, 'Gross' as const),
        ({ pricing, items }, adjustments, fundingType) => {
          const sums = addItems(
            NO_SUMS,
            items.map((one) => settled(one, pricing)),
          );
          const facts = { fundingType, adjustments, parts: partsOf(items, pricing) };
          const expected = expectedSettlement(facts);
          const terms = { fundingType, adjustments: made(adjustments) };
          expect(expected).toEqual(settlementTotals(terms, sums));
          const lines = settlementLines(terms, sums);
          expect(expectedLines(facts)).toEqual(
            lines.map(({ type, feeType, count, amount }) =>
              [type, feeType, count, amount].filter(isGiven).join(' '),
            ),
          );
          const trial = journal(items, { pricing, fundingType, adjustments });
          const owed = items.reduce((sum, { amount }) => sum + amount, 0);
          expect(owed - trial.balance(OWNER, 'Payable')).toBe(expected.amount);
          for (const entry of fundingEntries(OWNER, 'stl_1', expected.amount)) trial.post(entry);
          expect(trial.balance(OWNER, 'Payable')).toBe(owed);
          expect(0 - trial.balance(OWNER, 'PaidOut')).toBe(0 + expected.amount);
          for (const balances of trial.all()) expect(TrialBalance.total(balances)).toBe(0);
        },
      ),
      options,
    );
  });
});

const isGiven = (part: unknown): boolean => part !== undefined;
const made = (
  all: readonly { adjustmentId: string; kind: 'MonthlyFee' | 'MonthFees' | 'Manual'; amount: number }[],
) => all.map((one) => ({ ...one, at: '2026-03-06T00:00:00.000Z' }));

function settled(one: PricedItem, pricing: SettlementPricing): SettledItem {
  const fee = feeOfItem(pricing, priced(one));
  return {
    ...priced(one),
    operationId: 'trx_1',
    movedAt: '',
    paymentMethodId: 'pmt_1',
    ...(fee && { fee: { ...fee, feeId: 'fee_1' } }),
  };
}

function partsOf(items: readonly PricedItem[], pricing: SettlementPricing) {
  const parts: Record<string, PartSum> = {};
  const add = (part: string, amount: number): void => {
    const { count, amount: before } = parts[part] ?? { count: 0, amount: 0 };
    parts[part] = { count: count + 1, amount: before + amount };
  };
  for (const one of items) {
    add(partOfItem(one.type), one.amount);
    for (const [part, amount] of feeParts(calculateFee(pricing, one))) add(part, amount);
  }
  return parts;
}

function feeParts(fee: CalculatedFee | undefined) {
  return fee ? partsOfFee(fee) : [];
}

/** Fees and adjustments; the items themselves are posted by the journals of their payments. */
function journal(
  items: readonly PricedItem[],
  {
    pricing,
    fundingType,
    adjustments,
  }: {
    readonly pricing: SettlementPricing;
    readonly fundingType: 'Net' | 'Gross';
    readonly adjustments: Parameters<typeof made>[0];
  },
): TrialBalance {
  const trial = new TrialBalance();
  for (const one of items) {
    const fee = calculateFee(pricing, one);
    if (fee) for (const entry of feeEntries(OWNER, 'trx_1', fundingType, fee)) trial.post(entry);
  }
  for (const one of adjustments) for (const entry of adjustmentEntries(OWNER, one)) trial.post(entry);
  return trial;
}
