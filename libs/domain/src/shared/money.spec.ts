import fc from 'fast-check';
import { isResponseCode } from './codes.js';
import { MAX_AMOUNT, approvedBreakdown, breakdownTotal, isAmount } from './money.js';

const part = fc.nat({ max: 5000 });
const breakdown = fc
  .record({ amountGoodsAndServices: part, tax: part, cashback: part, tip: part }, { requiredKeys: [] })
  .filter((parts) => breakdownTotal(parts) > 0);

describe('an amount', () => {
  it.each([1, 2, MAX_AMOUNT])('is %d', (value) => {
    expect(isAmount(value)).toBe(true);
  });

  it.each([0, -1, MAX_AMOUNT + 1, 1.5, Number.NaN, Infinity, '100', null, undefined, {}, true, 1n])(
    'is not %p',
    (value) => {
      expect(isAmount(value)).toBe(false);
    },
  );
});

describe('the breakdown of an approved amount', () => {
  it('adds up to the approved amount', () => {
    fc.assert(
      fc.property(breakdown, fc.double({ min: 0, max: 1, noNaN: true }), (requested, share) => {
        const amount = breakdownTotal(requested);
        const approved = Math.round(amount * share);
        const parts = approvedBreakdown(requested, amount, approved);
        expect(breakdownTotal(parts)).toBe(approved);
        for (const value of Object.values(parts))
          expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
      }),
    );
  });

  it('reduces a part only after the parts before it are 0: cashback, tip, tax, goods', () => {
    const order = ['cashback', 'tip', 'tax', 'amountGoodsAndServices'] as const;
    fc.assert(
      fc.property(breakdown, fc.nat({ max: 20_000 }), (requested, missing) => {
        const amount = breakdownTotal(requested);
        const parts = approvedBreakdown(requested, amount, Math.max(amount - missing, 0));
        const touched = order.findLastIndex((name) => parts[name] < (requested[name] ?? 0));
        for (const name of order.slice(0, Math.max(touched, 0))) expect(parts[name]).toBe(0);
      }),
    );
  });

  it('is the requested one if all was approved, in its fixed fields', () => {
    expect(approvedBreakdown({ tip: 100, amountGoodsAndServices: 900 }, 1000, 1000)).toEqual({
      amountGoodsAndServices: 900,
      tax: 0,
      cashback: 0,
      tip: 100,
    });
  });

  it('is all goods if the request has none', () => {
    const none = { tax: 0, cashback: 0, tip: 0 };
    expect(approvedBreakdown(undefined, 1000, 1000)).toEqual({ amountGoodsAndServices: 1000, ...none });
    expect(approvedBreakdown(undefined, 1000, 600)).toEqual({ amountGoodsAndServices: 600, ...none });
  });
});

describe('a response code', () => {
  it('is one of the closed set', () => {
    const codes = Array.from({ length: 70 }, (_, code) => code).filter(isResponseCode);
    expect(codes).toEqual([
      0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 50, 51, 52, 53, 54, 55, 56, 57,
    ]);
  });
});
