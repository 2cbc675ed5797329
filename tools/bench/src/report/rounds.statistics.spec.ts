import { interleaved, median, percentile, ratio } from './rounds.statistics.js';

describe('the statistics of a benchmark', () => {
  it('runs the sides in turn and throws the first round away', async () => {
    const order: string[] = [];
    let a = 0;
    const rounds = await interleaved(
      2,
      {
        a: () => (order.push('a'), ++a),
        b: async () => (order.push('b'), 10),
      },
      () => undefined,
    );
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(rounds).toEqual({ a: [2, 3], b: [10, 10] });
  });

  it('takes the value in the middle, however the values come', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([10, 9, 100])).toBe(10);
    expect(() => median([])).toThrow(RangeError);
  });

  it('gives as a percentile a value that was measured', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([3, 1, 2], 0)).toBe(1);
  });

  it('compares round by round, so that a slow round weighs on both sides', () => {
    // The machine was ten times slower in the second round: the quotient is not.
    expect(ratio([200, 20, 210], [100, 10, 100])).toEqual({ value: 2, least: 2, most: 2.1, unit: '×' });
    expect(() => ratio([1], [1, 2])).toThrow(RangeError);
  });
});
