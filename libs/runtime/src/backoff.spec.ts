import { Backoff } from './backoff.js';

const LIMITS = { firstPauseMs: 100, longestPauseMs: 5_000 };

describe('Backoff', () => {
  it('doubles the pause after each consecutive failure, up to the longest', () => {
    const backoff = new Backoff(LIMITS);
    const pauses = Array.from({ length: 8 }, () => backoff.next());
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  it('starts from the first pause again after a success', () => {
    const backoff = new Backoff(LIMITS);
    backoff.next();
    backoff.next();
    backoff.reset();
    expect(backoff.next()).toBe(100);
  });

  it('stays at the longest pause after any number of failures', () => {
    const backoff = new Backoff(LIMITS);
    for (let failures = 0; failures < 10_000; failures++) backoff.next();
    expect(backoff.next()).toBe(5_000);
  });
});
