import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';
import { EventStoreError } from './event-store.errors.js';

describe('canonical JSON', () => {
  it('is the text of the same value: parsing it gives the value back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is the same whatever the order of the keys, and after any round trip', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
        const reversed = Object.fromEntries(Object.entries(members).reverse());
        const text = canonicalJson(members);
        expect(canonicalJson(reversed)).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('sorts keys by UTF-16 code units, writes no white space, and numbers as RFC 8785 says', () => {
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

  it('leaves members out that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
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
  ])('refuses %s, which JSON would change silently', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(EventStoreError);
  });
});
