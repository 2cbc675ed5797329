import { parseExactly } from './exact.numbers.js';

const read = (number: string): unknown =>
  (parseExactly(`{"amount":${number}}`) as { amount: unknown }).amount;

describe('A number of a body', () => {
  it.each([
    '0.99999999999999999999',
    '999999999.00000001',
    '100.00000000000000000001',
    '-1.00000000000000000001',
    '1000000000000000000001e-19',
    '0.10000000000000000000001E+3',
    '1e-400000000000000000000',
  ])('that only rounding makes an integer is none, and no text either: %s', (number) => {
    expect(read(number)).toBe(Infinity);
  });

  it.each([
    ['1.00000000000000000000', 1],
    ['10000000000000000000000e-20', 100],
    ['1.25000000000000000000e2', 125],
    ['0.00000000000000000000', 0],
    ['0.12345678901234567890', 0.123_456_789_012_345_68],
    ['123456789012345678901234567890', 123_456_789_012_345_680_000_000_000_000],
    ['1500', 1500],
    ['1.5', 1.5],
  ])('is what it says: %s', (number, value) => {
    expect(read(number)).toBe(value);
  });

  it('is none inside a text', () => {
    const text = { referenceId: 'order \\" 0.99999999999999999999 "', list: ['1.00000000000000000001'] };
    expect(parseExactly(JSON.stringify(text))).toEqual(text);
  });

  it('takes no time worth speaking of, however long it is', () => {
    const since = performance.now();
    read(`0.${'0'.repeat(99_000)}1`);
    parseExactly(JSON.stringify({ text: `${'"\\'.repeat(20_000)}${'1'.repeat(50_000)}` }));
    expect(performance.now() - since).toBeLessThan(2_000);
  });
});
