import { gzipSync } from 'node:zlib';
import { keyHeader, targetPath, type FuzzOperation } from './api.operations.js';
import { mutateBody, validBody } from './body.mutations.js';
import type { FuzzFixture } from './fuzz.fixture.js';
import { JSON_HEADER, type CaseSource, type FuzzCase, type FuzzRequest } from './fuzz.request.js';
import { BROKEN_BODIES, jsonText } from './hostile.values.js';
import type { RandomGenerator } from './random.generator.js';

const ATTEMPTS_MAX = 30;

/** Calls that change the whole service or end what other cases need: sent with an invalid body only. */
const NEVER_RIGHT = /\/(clock|stop|resume|rebuild|disable|enable|customer|resolve|inquire)$/;

/** A body by the schema with one or two mutations: `Refused` if the schema does not allow it. */
export function bodyCase(source: CaseSource, wanted: 'Refused' | 'Taken'): FuzzCase {
  const { operations, fixture, random } = source;
  const writing = operations.filter(
    ({ method, path, body }) =>
      method !== 'GET' &&
      (wanted === 'Refused' || (body !== undefined && method !== 'DELETE' && !NEVER_RIGHT.test(path))),
  );
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const operation = random.pick(writing);
    const base = withRealIds(validBody(operation, random), fixture, random);
    const text = wanted === 'Taken' && random.is(0.3) ? jsonText(base) : mutateBody(base, operation, random);
    // The service refuses every body above 100 kB with 2900.
    const tooLarge = Buffer.byteLength(text) > 100_000;
    if ((tooLarge || !isRight(operation, text)) !== (wanted === 'Refused')) continue;
    const request = requestWithBody(operation, fixture, Buffer.from(text), [JSON_HEADER]);
    return { family: `${operation.method} body of ${operation.path}`, expected: wanted, request };
  }
  return textCase(source);
}

function isRight(operation: FuzzOperation, text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return operation.isRight(body);
}

/** A body that is invalid as text, by its content type or by its encoding. */
export function textCase({ operations, fixture, random }: CaseSource): FuzzCase {
  const operation = random.pick(operations.filter(({ method }) => method !== 'GET'));
  const right = Buffer.from(jsonText(withRealIds(validBody(operation, random), fixture, random)));
  const kinds: readonly (() => readonly [Buffer, FuzzRequest['headers']])[] = [
    () => [random.pick(BROKEN_BODIES), [JSON_HEADER]],
    () => [random.pick(BROKEN_BODIES), [JSON_HEADER]],
    () => [right, [['content-type', random.pick(CONTENT_TYPES)]]],
    () => [right, []],
    () => [gzipSync(right), [JSON_HEADER, ['content-encoding', 'gzip']]],
    () => [BOMB, [JSON_HEADER, ['content-encoding', 'gzip']]],
    () => [right, [JSON_HEADER, ['content-encoding', random.pick(['gzip', 'br', 'x', 'gzip, gzip'])]]],
    () => [BOMB, [JSON_HEADER]],
  ];
  const [body, headers] = random.pick(kinds)();
  const request = requestWithBody(operation, fixture, body, headers);
  return { family: `${operation.method} text of a body of ${operation.path}`, expected: 'Refused', request };
}

/** Ten megabytes of spaces, which the service must not unpack. */
const BOMB = gzipSync(Buffer.alloc(10_000_000, ' '));

const CONTENT_TYPES: readonly string[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json, text/plain',
  'json',
  ';',
  '*/*',
  'application/json\t;x=y',
  `application/json;${' '.repeat(5_000)}x`,
];

function requestWithBody(
  operation: FuzzOperation,
  fixture: FuzzFixture,
  body: Buffer,
  headers: FuzzRequest['headers'],
): FuzzRequest {
  const { method } = operation;
  const path = targetPath(operation, fixture);
  return { method, path, headers: [keyHeader(operation, fixture), ...headers], body };
}

/** Replaces the example ids of the schema by ids that exist. */
function withRealIds<Value>(value: Value, { own }: FuzzFixture, random: RandomGenerator): Value {
  const real: Readonly<Record<string, readonly string[]>> = {
    trx_: [own.sale, own.auth],
    pmt_tkn_: [own.token],
    pmt_trm_: [own.terminal],
    pmt_vrt_: [own.form],
    acc_: [own.holder],
  };
  const ids = /(trx_|pmt_tkn_|pmt_trm_|pmt_vrt_|acc_)[0-9A-Z]{26}/g;
  const text = JSON.stringify(value).replace(ids, (id, prefix: string) => random.pick(real[prefix] ?? [id]));
  return JSON.parse(text) as Value;
}
