import { cachedLookup, withTimeout } from './cached.lookup.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('What is looked up rarely', () => {
  it('is looked up once for all who ask at once, and kept for its time', async () => {
    let looks = 0;
    const look = cachedLookup(60_000, async () => {
      await pause(5);
      return ++looks;
    });
    expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1]);
    expect(await look()).toBe(1);
  });

  it('is looked up anew after its time', async () => {
    let looks = 0;
    const look = cachedLookup(20, () => Promise.resolve(++looks));
    await look();
    await pause(40);
    expect(await look()).toBe(2);
  });

  it('that failed is told so, and is looked up anew', async () => {
    let looks = 0;
    const look = cachedLookup(60_000, () =>
      ++looks === 1 ? Promise.reject(new Error('away')) : Promise.resolve(looks),
    );
    await expect(look()).rejects.toThrow('away');
    expect(await look()).toBe(2);
  });
});

describe('What must be told in time', () => {
  it('is, or it is said what took too long', async () => {
    expect(await withTimeout(1_000, 'a look', Promise.resolve(1))).toBe(1);
    await expect(withTimeout(5, 'a look', new Promise(() => undefined))).rejects.toThrow(
      'a look took longer than 5 ms',
    );
  });
});
