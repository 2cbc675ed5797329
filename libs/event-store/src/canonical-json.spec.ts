import { canonicalJson } from './canonical-json.js';
import { EventStoreError } from './event-store.js';

describe('canonical JSON', () => {
  it('sorts keys by UTF-16 code units, writes no white space, and writes numbers as RFC 8785 defines', () => {
    const value = {
      '\u20ac': 1e21,
      b: [true, null],
      a: { z: -0, y: 0.000001 },
      '\r': 'line\n"\u0007',
      '😀': 1,
      '\ufb33': 333333333.33333329,
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":"line\\n\\"\\u0007","a":{"y":0.000001,"z":0},"b":[true,null],"\u20ac":1e+21,"😀":1,"\ufb33":333333333.3333333}',
    );
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('forgets key orders: 30,000 of them, all with the same first key, take no quadratic time', () => {
    const values = Array.from({ length: 30_000 }, (_, n) => ({ at: n, [`a${n}`]: 1 }));
    const since = performance.now();
    const texts = values.map(canonicalJson);
    expect(performance.now() - since).toBeLessThan(3_000);
    expect(texts).toEqual(values.map((_, n) => `{"a${n}":1,"at":${n}}`));
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  it.each<[string, unknown]>([
    ['NaN', NaN],
    ['Infinity', { amount: Infinity }],
    ['a bigint', [1n]],
    ['undefined in a list', [undefined]],
    ['a hole in a list', Array(2)],
    ['a date', { at: new Date() }],
    ['a map', new Map()],
    ['a function', () => 1],
    ['an instance of a class', new (class Money {})()],
    ['a cycle', cycle],
  ])('refuses %s, because JSON changes it silently', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(EventStoreError);
  });
});
