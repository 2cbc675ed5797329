import { gzipSync } from 'node:zlib';
import type { Chance } from './fuzz.chance.js';
import { mutated, nearlyRight } from './fuzz.mutations.js';
import type { FuzzOperation } from './fuzz.operations.js';
import { keyed, pathFor } from './fuzz.places.js';
import type { Expected, FuzzCase, FuzzRequest } from './fuzz.request.js';
import { brokenBodies, jsonText } from './fuzz.values.js';
import type { FuzzWorld } from './fuzz.world.js';

const JSON_HEADER = ['content-type', 'application/json'] as const;
const TRIES = 30;

/** What would change the whole service, or end what other cases name: only ever sent with something wrong in it. */
const NEVER_RIGHT = /\/(clock|stop|resume|rebuild|disable|enable|customer|resolve|inquire)$/;

/** Bodies by the description, with one or two mutations; `RequestRefused` where the description does not allow them. */
export function bodyCase(
  operations: readonly FuzzOperation[],
  world: FuzzWorld,
  chance: Chance,
  wanted: 'Refused' | 'Taken',
): FuzzCase {
  const writing = operations.filter(
    ({ method, path, isRight }) =>
      method !== 'GET' &&
      (wanted === 'Refused' || (isRight && method !== 'DELETE' && !NEVER_RIGHT.test(path))),
  );
  for (let tries = 0; tries < TRIES; tries++) {
    const operation = chance.pick(writing);
    const base = named(nearlyRight(operation, chance), world, chance);
    const text = wanted === 'Taken' && chance.is(0.3) ? jsonText(base) : mutated(base, operation, chance);
    // Beyond 100 kB it is 2900 whatever it says.
    const tooLarge = Buffer.byteLength(text) > 100_000;
    if ((tooLarge || !isRight(operation, text)) !== (wanted === 'Refused')) continue;
    return bodied(operation, world, Buffer.from(text), [JSON_HEADER], `body of ${operation.path}`, wanted);
  }
  return textCase(operations, world, chance);
}

function isRight(operation: FuzzOperation, text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  // Without a description nothing but an unknown field is surely wrong.
  return operation.isRight
    ? operation.isRight(body)
    : !Object.keys(body).some((name) => name === 'cardNumber');
}

/** Whatever the body says: wrong as a text, by its content type or by its encoding. */
export function textCase(operations: readonly FuzzOperation[], world: FuzzWorld, chance: Chance): FuzzCase {
  const operation = chance.pick(operations.filter(({ method }) => method !== 'GET'));
  const right = Buffer.from(jsonText(named(nearlyRight(operation, chance), world, chance)));
  const kinds: readonly (() => readonly [Buffer, FuzzRequest['headers']])[] = [
    () => [chance.pick(brokenBodies())[1], [JSON_HEADER]],
    () => [chance.pick(brokenBodies())[1], [JSON_HEADER]],
    () => [notEmpty(right), [['content-type', chance.pick(CONTENT_TYPES)]]],
    () => [notEmpty(right), []],
    () => [gzipSync(notEmpty(right)), [JSON_HEADER, ['content-encoding', 'gzip']]],
    () => [BOMB, [JSON_HEADER, ['content-encoding', 'gzip']]],
    () => [
      notEmpty(right),
      [JSON_HEADER, ['content-encoding', chance.pick(['gzip', 'br', 'x', 'gzip, gzip'])]],
    ],
    () => [BOMB, [JSON_HEADER]],
  ];
  const [body, headers] = chance.pick(kinds)();
  return bodied(operation, world, body, headers, `text of a body of ${operation.path}`, 'Refused');
}

/** Ten megabytes of spaces, which nobody must unpack. */
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

const notEmpty = (body: Buffer): Buffer => (body.length > 0 ? body : Buffer.from('{}'));

function bodied(
  operation: FuzzOperation,
  world: FuzzWorld,
  body: Buffer,
  headers: FuzzRequest['headers'],
  family: string,
  expected: Expected,
): FuzzCase {
  const { method } = operation;
  const request = {
    method,
    path: pathFor(operation, world),
    headers: [keyed(operation, world), ...headers],
    body,
  };
  return { family: `${method} ${family}`, expected, request };
}

/** Ids that the description gives as examples become ones that are there. */
export function named<Value>(value: Value, world: FuzzWorld, chance: Chance): Value {
  const { own } = world;
  const real: Readonly<Record<string, readonly string[]>> = {
    trx_: [own.sale, own.auth],
    pmt_tkn_: [own.token],
    pmt_trm_: [own.terminal],
    pmt_vrt_: [own.form],
    acc_: [own.holder],
  };
  const text = JSON.stringify(value).replace(
    /(trx_|pmt_tkn_|pmt_trm_|pmt_vrt_|acc_)[0-9A-Z]{26}/g,
    (id, prefix: string) => chance.pick(real[prefix] ?? [id]),
  );
  return JSON.parse(text) as Value;
}
