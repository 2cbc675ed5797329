import fc from 'fast-check';
import type { PricingRule } from '../pricing-template/index.js';
import { feeLines, shareOf } from './fees.js';

const rule = (rateBps: number, more: Partial<PricingRule> = {}): PricingRule => ({
  ...{ feeType: 'Interchange', rateBps, fixedAmount: 0 },
  ...more,
});
const visa = { channel: 'CardPresent', cardType: 'VISA', amount: 10_000 } as const;
const rates = (rules: readonly PricingRule[], payment: Parameters<typeof feeLines>[1] = visa) =>
  feeLines(rules, payment).map(({ rateBps }) => rateBps);

describe('the rule that counts for a fee type', () => {
  const general = rule(1);
  const ofChannel = rule(2, { channel: 'CardPresent' });
  const ofCard = rule(3, { cardType: 'VISA' });
  const ofBoth = rule(4, { channel: 'CardPresent', cardType: 'VISA' });

  it.each([
    ['of channel and card type before all others', [general, ofChannel, ofCard, ofBoth], [4]],
    ['of the card type before that of the channel', [general, ofChannel, ofCard], [3]],
    ['of the channel before the general one', [general, ofChannel], [2]],
    ['that is general, without another', [general], [1]],
  ])('is the one %s, in any order of the rules', (_title, rules, expected) => {
    expect(rates(rules)).toEqual(expected);
    expect(rates([...rules].reverse())).toEqual(expected);
  });

  it('never names another channel or card type', () => {
    expect(rates([rule(5, { channel: 'Token' }), rule(6, { cardType: 'AMEX' })])).toEqual([]);
    expect(rates([rule(7, { channel: 'CardPresent', cardType: 'AMEX' }), general])).toEqual([1]);
  });

  it('of a bank payment names no card type', () => {
    expect(rates([ofCard, ofBoth, rule(8, { channel: 'Ach' })], { channel: 'Ach', amount: 100 })).toEqual([
      8,
    ]);
  });
});

describe('the lines of a fee', () => {
  it('are one for each fee type that a rule fits, each rounded by itself', () => {
    const rules = [
      rule(25, { feeType: 'Markup', fixedAmount: 5 }),
      rule(180, { fixedAmount: 10 }),
      rule(13, { feeType: 'Scheme' }),
    ];
    expect(feeLines(rules, { ...visa, amount: 1_000 })).toEqual([
      { type: 'Interchange', rateBps: 180, fixedAmount: 10, amount: 28 },
      { type: 'Scheme', rateBps: 13, fixedAmount: 0, amount: 1 },
      { type: 'Markup', rateBps: 25, fixedAmount: 5, amount: 7 },
    ]);
  });
});

describe('basis points of an amount', () => {
  it.each([
    [50, 100, 0],
    [150, 100, 2],
    [250, 100, 2],
    [350, 100, 4],
    [151, 100, 2],
    [249, 100, 2],
    [999_999_999, 10_000, 999_999_999],
  ])('of %i cents at %i are %i: half a cent goes to the even cent', (amount, rateBps, expected) => {
    expect(shareOf(amount, rateBps)).toBe(expected);
  });

  it('agree with a calculation in big integers', () => {
    const bps = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), bps, (amount, rateBps) => {
        const doubled = BigInt(amount) * BigInt(rateBps) * 2n;
        const floor = doubled / 20_000n;
        const rest = doubled - floor * 20_000n;
        const up = rest > 10_000n || (rest === 10_000n && floor % 2n === 1n);
        expect(BigInt(shareOf(amount, rateBps))).toBe(up ? floor + 1n : floor);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are refused where they can not be exact', () => {
    expect(() => shareOf(-1, 100)).toThrow(RangeError);
    expect(() => shareOf(0.5, 1)).toThrow(RangeError);
    expect(() => shareOf(Number.MAX_SAFE_INTEGER, 2)).toThrow(RangeError);
  });
});
