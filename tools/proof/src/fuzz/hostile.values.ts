import type { RandomGenerator } from './random.generator.js';

/** JSON text that is sent unchanged: numbers beyond JavaScript's, deep nesting, invalid JSON. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Test cards of the sandbox; no response may repeat them, whichever field has them. */
export const CARD_NUMBERS: readonly string[] = ['4242424242424242', '5555555555554444'];

export const PROTOTYPE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'toJSON',
  'then',
  'length',
  '',
  ' ',
  '\u0000',
  '$ne',
  'amount.value',
  'amount[0]',
];

const DEEP = 10_000;

export const deepArrays = (levels = DEEP): string => '['.repeat(levels) + ']'.repeat(levels);
export const deepObjects = (levels = DEEP): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

const NUMBERS: readonly unknown[] = [
  0,
  -1,
  1.5,
  0.1,
  100,
  999_999_999,
  1_000_000_000,
  2_147_483_648,
  4_294_967_296,
  2 ** 53,
  -(2 ** 63),
  Number.MIN_VALUE,
  new RawJson('1e309'),
  new RawJson('-1e309'),
  new RawJson('-0'),
  new RawJson('1.0'),
  new RawJson('1e2'),
  new RawJson('1E400'),
  new RawJson('9007199254740993'),
  new RawJson('9'.repeat(400)),
  new RawJson(`0.${'0'.repeat(400)}1`),
];

const TEXTS: readonly unknown[] = [
  '',
  ' ',
  '100',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '\u0000',
  'a\u0000b',
  'a\nb',
  '\r\nx-injected: 1',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u202eabc',
  '\u200b',
  '\ufffe',
  '💳',
  '👩‍👩‍👧‍👦'.repeat(10),
  'é',
  'e\u0301',
  '\ud800',
  'a\udc00b',
  new RawJson('"\\ud83d"'),
  new RawJson('"\\udead\\ud83d"'),
  '𝒳'.repeat(101),
  'ﷺ'.repeat(100),
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  "' OR 1=1 --",
  '"; DROP TABLE events; --',
  '<script>alert(1)</script>',
  '${jndi:ldap://x.example/a}',
  '{{7*7}}',
  '(a+)+$',
  `${'a'.repeat(60)}!`,
  'a'.repeat(36),
  'a'.repeat(101),
  'a'.repeat(255),
  'a'.repeat(90_000),
  `${'a'.repeat(5_000)}@example.com`,
  `${'a.'.repeat(2_000)}@${'b.'.repeat(2_000)}com`,
  'trx_00000000000000000000000000',
  'trx_ZZZZZZZZZZZZZZZZZZZZZZZZZZ',
  'pmt_tkn_00000000000000000000000000',
  '2026-13-45T99:99:99.999Z',
  '2026-08-03T14:05:09.120+99:99',
  '+275760-09-13T00:00:00.001Z',
  '0000',
  '1399',
  ...CARD_NUMBERS,
];

const SHAPES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [100],
  ['100'],
  { amount: 100 },
  { $gt: 0 },
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
export function brokenBodies(): readonly (readonly [name: string, body: Buffer])[] {
  const texts: Record<string, string> = {
    'half an object': '{"amount":100',
    'a comma too many': '{"amount":100,}',
    'single quotes': "{'amount':100}",
    'no quotes': '{amount:100}',
    'a comment': '{"amount":100 /* cents */}',
    'NaN without quotes': '{"amount":NaN}',
    hexadecimal: '{"amount":0x64}',
    'a leading zero': '{"amount":0100}',
    'a sign': '{"amount":+100}',
    'two objects': '{"amount":100}{"amount":100}',
    'a raw line break in a text': '{"referenceId":"a\nb","amount":100}',
    'a raw NUL': '{"amount":100}\u0000',
    array: '[{"amount":100}]',
    text: '"amount"',
    number: '100',
    null: 'null',
    true: 'true',
    blank: ' ',
    'an array 10,000 deep': deepArrays(),
    'an array 45,000 deep, not closed': '['.repeat(45_000),
    'an object 10,000 deep in an array': `[${deepObjects()}]`,
    'form fields': 'amount=100&paymentMethodId=x',
    xml: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    'more than 100 kB': `{"referenceId":"${'a'.repeat(100_001)}","amount":100}`,
    'a megabyte of spaces': ' '.repeat(1_000_000),
  };
  return [
    ...Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const),
    ['UTF-16', Buffer.from('{"amount":100}', 'utf16le')],
    ['Latin-1', Buffer.from('{"referenceId":"caf\u00e9","amount":100}', 'latin1')],
    [
      'an overlong slash',
      Buffer.concat([Buffer.from('{"referenceId":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    ],
    [
      'a surrogate in UTF-8',
      Buffer.concat([Buffer.from('{"referenceId":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ['bytes by chance', Buffer.from(Array.from({ length: 256 }, (_, index) => 255 - index))],
  ];
}
