import { setTimeout as pause } from 'node:timers/promises';
import { cachedLookup } from './cached-lookup.js';

describe('A cached lookup', () => {
  it('runs once for concurrent callers, and keeps its result', async () => {
    let lookups = 0;
    const lookUp = cachedLookup(60_000, async () => {
      await pause(5);
      return ++lookups;
    });
    expect(await Promise.all([lookUp(), lookUp(), lookUp()])).toEqual([1, 1, 1]);
    expect(await lookUp()).toBe(1);
  });

  it('runs again after its time', async () => {
    let lookups = 0;
    const lookUp = cachedLookup(20, () => Promise.resolve(++lookups));
    await lookUp();
    await pause(40);
    expect(await lookUp()).toBe(2);
  });

  it('rejects with the error of its lookup, and runs again', async () => {
    let lookups = 0;
    const lookUp = cachedLookup(60_000, () =>
      ++lookups === 1 ? Promise.reject(new Error('away')) : Promise.resolve(lookups),
    );
    await expect(lookUp()).rejects.toThrow('away');
    expect(await lookUp()).toBe(2);
  });
});
