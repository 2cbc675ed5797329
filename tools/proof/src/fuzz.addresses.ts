import type { Chance } from './fuzz.chance.js';
import type { FuzzOperation, FuzzParameter } from './fuzz.operations.js';
import { keyed, pathFor } from './fuzz.places.js';
import type { FuzzCase } from './fuzz.request.js';
import { hostileText, PROTOTYPE_NAMES } from './fuzz.values.js';
import type { FuzzWorld } from './fuzz.world.js';

const COMMON = ['limit', 'cursor', 'sort', 'includeTotal', 'createdFrom', 'id', 'amountMin', 'type'];
/** Node takes a request line and headers of 16 kB together. */
const LONGEST_QUERY = 12_000;

/** Parameters of lists: unknown, repeated, deep, many, out of range, cursors of elsewhere. They read at most. */
export function queryCase(operations: readonly FuzzOperation[], world: FuzzWorld, chance: Chance): FuzzCase {
  const reading = operations.filter(({ method }) => method === 'GET');
  const operation = chance.pick(reading);
  const pairs = Array.from({ length: 1 + chance.below(3) }, () => parameter(operation, world, chance));
  const flood = chance.is(0.1) ? chance.pick(FLOODS) : '';
  const query = (pairs.join('&') + flood).slice(0, LONGEST_QUERY);
  const path = `${pathFor(operation, world)}?${query}`;
  return {
    family: `query of ${operation.path}`,
    expected: 'Read',
    request: { method: 'GET', path, headers: [keyed(operation, world)] },
  };
}

const FLOODS: readonly string[] = [
  '&id=x'.repeat(1_000),
  '&limit=1'.repeat(500),
  `&${'a=1&'.repeat(2_000)}`,
  `&id${'[a]'.repeat(2_000)}=1`,
  `&${'x'.repeat(9_000)}=1`,
  `&referenceId=${'x'.repeat(9_000)}`,
  `&referenceId=${'%F0%9F%92%B3'.repeat(700)}`,
  '&'.repeat(5_000),
  '='.repeat(5_000),
  `&cursor=${'A'.repeat(9_000)}`,
];

function parameter({ query }: FuzzOperation, world: FuzzWorld, chance: Chance): string {
  const known = query.length > 0 ? chance.pick(query) : undefined;
  const name = known && chance.is(0.8) ? known.name : chance.pick([...COMMON, ...PROTOTYPE_NAMES]);
  const value = chance.pick(valuesOf(name, known, world, chance));
  const written = chance.pick([name, name, name, `${name}[]`, `${name}[$ne]`, `${name}[0][a][b][c]`]);
  const escaped = chance.is(0.9);
  return `${escaped ? encoded(written) : safe(written)}=${escaped ? encoded(value) : safe(value)}`;
}

function valuesOf(
  name: string,
  known: FuzzParameter | undefined,
  world: FuzzWorld,
  chance: Chance,
): readonly string[] {
  const plain = [
    '0',
    '1',
    '100',
    '101',
    '-1',
    '1e2',
    '1.0',
    '+5',
    ' 5',
    '0x10',
    '9007199254740993',
    'NaN',
    '',
    'null',
  ];
  const listed = (known?.schema?.['enum'] ?? []) as readonly unknown[];
  return [
    ...plain,
    hostileText(chance),
    hostileText(chance),
    ...listed.map(String),
    ...(name === 'cursor' ? cursors(world, chance) : []),
    ...(/From|To|asOf/.test(name) ? TIMES : []),
  ];
}

const TIMES: readonly string[] = [
  '2026-08-03T14:05:09.120Z',
  '2026-08-03',
  '2026-02-30T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00.000Z',
  '2026-08-03T24:00:00.000Z',
  '2026-08-03T14:05:60Z',
  '0000-01-01T00:00:00.000Z',
];

/** Valid base64 of something else, cursors of other lists and other merchants, and ones that were touched. */
function cursors({ own, other }: FuzzWorld, chance: Chance): readonly string[] {
  const real = chance.pick(own.cursors);
  const text = Buffer.from(real, 'base64url').toString('utf8');
  const written = (place: string): string => Buffer.from(place, 'utf8').toString('base64url');
  const binding = text.slice(0, text.indexOf('.'));
  const places = [
    '',
    '.',
    '0',
    '-1',
    '[]',
    '{}',
    '[null]',
    '9'.repeat(400),
    "' OR 1=1",
    '\u0000',
    `${other.sale}`,
  ];
  return [
    ...own.cursors,
    ...other.cursors,
    real.slice(0, -1),
    `${real}A`,
    `${real}=`,
    real.split('').reverse().join(''),
    written(text.replace(/\d/g, '9')),
    written(text.toLowerCase()),
    written(`${text}.${text}`),
    ...places.map((place) => written(`${binding}.${place}`)),
    written('{"id":1}'),
    'AAAA',
  ];
}

/** Escapes, dots, slashes, ends and lengths; nothing there is a call that writes. */
export function pathCase(operations: readonly FuzzOperation[], world: FuzzWorld, chance: Chance): FuzzCase {
  const operation = chance.pick(operations);
  const right = pathFor(operation, world);
  const path = chance.pick(TRICKS)(right, chance);
  const method = chance.pick([operation.method, 'GET', 'POST', 'PUT', 'DELETE', ...ODD_METHODS]);
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  // A body that no call takes: should the path be right after all, nothing is written.
  const body = reads ? {} : { body: Buffer.from('{"thisIsNoField":1}') };
  const headers = [
    keyed(operation, world),
    ...(reads ? [] : [['content-type', 'application/json'] as const]),
  ];
  return {
    family: `path of ${operation.path}`,
    expected: 'Read',
    request: { method, path, headers, ...body },
  };
}

const ODD_METHODS = [
  'PATCH',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'SEARCH',
  'M-SEARCH',
  'LOCK',
  'REPORT',
];

const TRICKS: readonly ((path: string, chance: Chance) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replace(/\/([^/]*)$/, '%2F$1'),
  (path) => path.replace(/\/([^/]*)$/, '%5C$1'),
  (path) => path.replace(/\/([^/]*)$/, '/./$1'),
  (path) => path.replace(/\/([^/]*)$/, '/../$1'),
  (path) => `${path}/../../../../etc/passwd`,
  (path) => `${path}/%2e%2e/%2e%2e/metrics`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0ax-injected:%201`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}.json`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1', '/v1/v1'),
  (path) => path.replace('/v1', '/V1'),
  (path) => path.replace('/v1', '/v2'),
  (path) => path.replace('/v1', ''),
  (path) => path.replace('/v1', '/%76%31'),
  (path) => `${path}?`,
  (path) => `${path}??x`,
  (path) => `${path}#fragment`,
  (path) => `${path}%`,
  (path) => `${path}%zz`,
  (path) => `${path}%c0%af`,
  (path) => `${path}%ff%fe`,
  (path) => `${path}${'/a'.repeat(3_000)}`,
  (path) => `${path}/${'a'.repeat(8_000)}`,
  (path) => `${path}${'/..'.repeat(2_000)}`,
  (path) => `${path}${'%2f'.repeat(2_000)}`,
  (path, chance) => path.replace(/[^/]*$/, encoded(hostileText(chance).slice(0, 3_000))),
  (path, chance) => path.replace(/[^/]*$/, encoded(chance.pick(PROTOTYPE_NAMES))),
  (path, chance) => `${path}/${encoded(hostileText(chance).slice(0, 3_000))}`,
  () => '*',
  () => '/',
  () => '/v1',
  () => '/v1/',
  () => '/admin/v1',
  () => '/admin',
  () => '/.git/config',
  () => '/sandbox.json',
];

/** Lone surrogates have no escape of their own: in UTF-8 they become U+FFFD. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));

/** What Node's client sends without an escape. */
const safe = (text: string): string => text.replace(/[^\x21-\x22\x24-\x25\x27-\x7e]/g, '');
