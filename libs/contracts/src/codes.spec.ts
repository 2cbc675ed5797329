import { ErrorCode } from './errors.js';
import { resultText } from './result.texts.js';

/** `docs/spec/codes.md#result-codes`. */
const RESULT_CODES = [
  0, 55, 1003, 1005, 1010, 3000, 3002, 3005, 3006, 3009, 3010, 3011, 3012, 3013, 3014, 3020, 4001, 4100, 6800,
  6801, 6802, 6900, 6901, 6902, 9998, 9999,
];

describe('The codes of the interface', () => {
  it('give each result code a different text', () => {
    expect(new Set(RESULT_CODES.map(resultText)).size).toBe(RESULT_CODES.length);
  });

  it('give an unknown result code a text too', () => {
    expect(resultText(1234)).toMatch(/not known/);
  });

  it('have each error code once', () => {
    const codes = Object.values(ErrorCode);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toHaveLength(64);
  });
});
