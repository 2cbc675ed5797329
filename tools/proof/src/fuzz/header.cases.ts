import { keyHeader, targetPath } from './api.operations.js';
import { JSON_HEADER, type CaseSource, type FuzzCase, type FuzzRequest } from './fuzz.request.js';
import { CARD_NUMBERS } from './hostile.values.js';
import type { RandomGenerator } from './random.generator.js';

/** Names and values; a list if a name repeats. */
type Headers = Readonly<Record<string, string>> | FuzzRequest['headers'];

const pairs = (headers: Headers): FuzzRequest['headers'] =>
  Array.isArray(headers) ? (headers as FuzzRequest['headers']) : Object.entries(headers);

const SALE = '/v1/transactions/physical-sale';

/** Bodies that are valid with the right key. */
const RIGHT_BODIES: Readonly<Record<string, string>> = {
  [SALE]: '{"amount":100}',
  '/v1/transactions/physical-auth': '{"amount":100}',
  '/v1/payment-methods/physical': '{}',
  '/v1/account-holders': '{"name":"Ada"}',
  '/admin/v1/merchants': '{"name":"Ada"}',
};

/** A missing, malformed, foreign, double, read-only or revoked key. */
export function keyCase({ fixture, random }: CaseSource): FuzzCase {
  const { own, other, adminKey, readOnlyKey, revokedKey } = fixture;
  const path = random.pick(Object.keys(RIGHT_BODIES));
  const forOperators = path.startsWith('/admin');
  const good = forOperators ? adminKey : own.apiKey;
  const wrong: readonly Headers[] = [
    {},
    { 'x-api-key': '' },
    { 'x-api-key': forOperators ? own.apiKey : adminKey },
    { 'x-api-key': readOnlyKey },
    { 'x-api-key': revokedKey },
    { 'x-api-key': good.slice(0, -1) },
    { 'x-api-key': `${good}A` },
    { 'x-api-key': good.toLowerCase() },
    { 'x-api-key': good.replace('sk_test_', 'sk_live_').replace('ak_', 'AK_') },
    { 'x-api-key': `${good}, ${good}` },
    { 'x-api-key': "' OR '1'='1" },
    { 'x-api-key': '__proto__' },
    { 'x-api-key': 'a'.repeat(10_000) },
    { 'x-api-key': CARD_NUMBERS[0] ?? '' },
    { 'x-api-key': good, authorization: `Bearer ${revokedKey}` },
    { 'x-api-key': good, authorization: `Bearer ${forOperators ? own.apiKey : other.apiKey}` },
    [
      ['x-api-key', good],
      ['x-api-key', readOnlyKey],
    ],
    { 'x-api-key': good, authorization: 'Bearer' },
    { authorization: good },
    { authorization: `Basic ${Buffer.from(`${good}:`).toString('base64')}` },
    { authorization: `Bearer ${'a'.repeat(5_000)}` },
    { authorization: `Token ${good}` },
    { cookie: `x-api-key=${good}` },
  ];
  const headers = [...pairs(random.pick(wrong)), JSON_HEADER];
  const body = Buffer.from(RIGHT_BODIES[path] ?? '{}');
  return { family: `key for ${path}`, expected: 'Refused', request: { method: 'POST', path, headers, body } };
}

/** Unusual headers on a request that is refused for its body or the header. */
export function headerCase(source: CaseSource): FuzzCase {
  const { operations, fixture, random } = source;
  if (random.is(0.4)) return idempotencyCase(source);
  const operation = random.pick(operations);
  const { method } = operation;
  const reads = method === 'GET';
  const odd = pairs(random.pick(oddHeaders(random)));
  const headers = [keyHeader(operation, fixture), ...(reads ? [] : [JSON_HEADER]), ...odd];
  const body = reads ? {} : { body: Buffer.from('{"thisIsNoField":1}') };
  return {
    family: `headers of ${operation.path}`,
    expected: reads ? 'Read' : 'Refused',
    request: { method, path: targetPath(operation, fixture), headers, ...body },
  };
}

function oddHeaders(random: RandomGenerator): readonly Headers[] {
  const [card = ''] = CARD_NUMBERS;
  return [
    Array.from({ length: 300 }, (_, index): [string, string] => [`x-${index}`, '1']),
    // Node keeps 2000 headers and ignores the rest.
    Array.from({ length: 1_500 }, (): [string, string] => ['a', 'b']),
    { 'x-long': 'a'.repeat(14_000) },
    { 'x-too-long': 'a'.repeat(40_000) },
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['tostring', 'z'],
    ],
    { traceparent: random.text('0123456789abcdefghij-', 55) },
    { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
    { traceparent: 'a'.repeat(9_000) },
    { traceparent: `00-${card}${card}-${card}-x`, tracestate: 'a=b,'.repeat(2_000) },
    { accept: 'text/csv' },
    { accept: 'image/png', 'accept-encoding': 'gzip, br;q=9, *;q=0' },
    { accept: '*/*,'.repeat(3_000) },
    { 'x-actor': '\u00ff\u00fe' },
    { 'x-actor': 'a'.repeat(9_000) },
    {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'evil.example',
      'x-original-url': '/admin/v1/merchants',
    },
    { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
    { range: 'bytes=0-,0-,0-', 'if-none-match': '*', 'if-modified-since': 'x' },
    { expect: 'a-miracle' },
    { upgrade: 'websocket', connection: 'upgrade' },
    { upgrade: 'h2c', connection: 'upgrade, http2-settings', 'http2-settings': 'AAMAAABkAAQAAP__' },
    { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
    { cookie: 'a=b; '.repeat(2_000) },
  ];
}

/** Malformed idempotency keys, and a used key with another body or path. */
function idempotencyCase({ fixture: { own }, random }: CaseSource): FuzzCase {
  const used = { 'idempotency-key': own.usedKey };
  const bad: readonly Headers[] = [
    { 'idempotency-key': '' },
    { 'idempotency-key': 'a'.repeat(256) },
    { 'idempotency-key': 'a'.repeat(9_000) },
    { 'idempotency-key': 'caf\u00e9' },
    { 'idempotency-key': 'a\tb' },
    { 'idempotency-key': '\u00f0\u009f\u0092\u00b3' },
    [
      ['idempotency-key', 'a'],
      ['idempotency-key', 'a'],
    ],
    [
      ['idempotency-key', 'a'],
      ['Idempotency-Key', 'b'],
    ],
    used,
    used,
  ];
  const headers = [['x-api-key', own.apiKey] as const, JSON_HEADER, ...pairs(random.pick(bad))];
  const path = random.pick([SALE, '/v1/transactions/physical-auth']);
  const request = { method: 'POST', path, headers, body: Buffer.from('{"amount":777}') };
  return { family: 'idempotency key', expected: 'Refused', request };
}
