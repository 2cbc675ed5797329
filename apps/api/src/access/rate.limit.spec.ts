import { RateLimit } from './rate.limit.js';

describe('A merchant’s allowance', () => {
  it('is its burst at once, then as many a second as its rate', () => {
    let now = 0;
    const limit = new RateLimit(() => now);
    const take = () => limit.take('mer_1', 5, 10).allowed;
    expect(Array.from({ length: 11 }, take)).toEqual([...Array<boolean>(10).fill(true), false]);
    now += 200;
    expect([take(), take()]).toEqual([true, false]);
    now += 60_000;
    expect(Array.from({ length: 11 }, take).filter(Boolean)).toHaveLength(10);
  });

  it('is no other merchant’s', () => {
    const limit = new RateLimit(() => 0);
    expect(limit.take('mer_1', 1, 1).allowed).toBe(true);
    expect(limit.take('mer_1', 1, 1).allowed).toBe(false);
    expect(limit.take('mer_2', 1, 1).allowed).toBe(true);
  });

  it('says after how many ms its next request is allowed, and 0 with each allowed one', () => {
    let now = 0;
    const limit = new RateLimit(() => now);
    const take = () => limit.take('mer_1', 0.25, 1);
    expect(take()).toMatchObject({ allowed: true, retryAfter: 0 });
    for (const [at, retryAfter] of [
      [0, 4_000],
      [1_000, 3_000],
      [3_000, 1_000],
    ] as const) {
      now = at;
      expect(take()).toMatchObject({ allowed: false, retryAfter });
    }
    now = 4_000;
    expect(take()).toMatchObject({ allowed: true, retryAfter: 0 });
  });
});
