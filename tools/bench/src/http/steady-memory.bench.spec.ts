import { growth } from './steady-memory.bench.js';

describe('growth of memory', () => {
  it('compares the end with what follows the first quarter, in which caches fill', () => {
    const filling = Array.from({ length: 100 }, (_, second) => (second < 25 ? second : 100));
    expect(growth(filling)).toEqual({ quarter: 100, end: 100, peak: 100 });
    const leaking = Array.from({ length: 100 }, (_, second) => second);
    expect(growth(leaking)).toEqual({ quarter: 27, end: 97, peak: 99 });
  });

  it('takes one look at garbage for what it is', () => {
    const steady = Array.from({ length: 100 }, (_, second) => (second === 98 ? 900 : 100));
    expect(growth(steady)).toEqual({ quarter: 100, end: 100, peak: 900 });
  });
});
