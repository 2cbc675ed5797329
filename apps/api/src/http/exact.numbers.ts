/** `JSON.parse` reads shorter numbers exactly enough: no field of this API gets an integer that was not sent. */
const LONG_NUMBER = /[\d.]{17}/;
const TEXTS_AND_NUMBERS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;
/** `JSON.parse` gives `Infinity` for it. */
const TOO_LARGE = '1e999';
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * `JSON.parse` for money: `0.99999999999999999999` is no amount, and would be read as 1. A number that only rounding
 * makes an integer comes as `Infinity`: still a number, which no field accepts
 * (`docs/spec/README.md#values`).
 *
 * @throws SyntaxError
 */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (!LONG_NUMBER.test(json)) return value;
  return JSON.parse(json.replace(TEXTS_AND_NUMBERS, (token) => (isRounded(token) ? TOO_LARGE : token)));
}

function isRounded(token: string): boolean {
  return token[0] !== '"' && Number.isInteger(Number(token)) && !isWrittenInteger(token);
}

function isWrittenInteger(token: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(token) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  // Where the last digit that counts stands behind the point, it is no integer.
  return end === 0 || end <= whole.length + Number(exponent);
}
