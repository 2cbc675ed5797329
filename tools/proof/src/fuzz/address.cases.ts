import { keyHeader, targetPath, type FuzzOperation, type FuzzParameter } from './api.operations.js';
import type { FuzzFixture } from './fuzz.fixture.js';
import { JSON_HEADER, type CaseSource, type FuzzCase } from './fuzz.request.js';
import { hostileText, PROTOTYPE_NAMES } from './hostile.values.js';
import type { RandomGenerator } from './random.generator.js';

const COMMON = ['limit', 'cursor', 'sort', 'includeTotal', 'createdFrom', 'id', 'amountMin', 'type'];
/** Characters. Node limits the request line and headers to 16 kB together. */
const LONGEST_QUERY = 12_000;

/** Query parameters that are unknown, repeated, nested, too many or out of range, and foreign cursors. */
export function queryCase({ operations, fixture, random }: CaseSource): FuzzCase {
  const operation = random.pick(operations.filter(({ method }) => method === 'GET'));
  const pairs = Array.from({ length: 1 + random.below(3) }, () => parameter(operation, fixture, random));
  const flood = random.is(0.1) ? random.pick(FLOODS) : '';
  const query = (pairs.join('&') + flood).slice(0, LONGEST_QUERY);
  const path = `${targetPath(operation, fixture)}?${query}`;
  const request = { method: 'GET', path, headers: [keyHeader(operation, fixture)] };
  return { family: `query of ${operation.path}`, expected: 'Read', request };
}

const FLOODS: readonly string[] = [
  ...['&id=x'.repeat(1_000), '&limit=1'.repeat(500), '&'.repeat(5_000), '='.repeat(5_000)],
  `&${'a=1&'.repeat(2_000)}`,
  `&id${'[a]'.repeat(2_000)}=1`,
  `&${'x'.repeat(9_000)}=1`,
  `&referenceId=${'x'.repeat(9_000)}`,
  `&referenceId=${'%F0%9F%92%B3'.repeat(700)}`,
  `&cursor=${'A'.repeat(9_000)}`,
];

function parameter({ query }: FuzzOperation, fixture: FuzzFixture, random: RandomGenerator): string {
  const known = query.length > 0 ? random.pick(query) : undefined;
  const name = known && random.is(0.8) ? known.name : random.pick([...COMMON, ...PROTOTYPE_NAMES]);
  const value = random.pick(valuesOf(name, known, fixture, random));
  const written = random.pick([name, name, name, `${name}[]`, `${name}[$ne]`, `${name}[0][a][b][c]`]);
  const escaped = random.is(0.9);
  return `${escaped ? encoded(written) : safe(written)}=${escaped ? encoded(value) : safe(value)}`;
}

function valuesOf(
  name: string,
  known: FuzzParameter | undefined,
  fixture: FuzzFixture,
  random: RandomGenerator,
): readonly string[] {
  const plain = ['', ' 5', ...'0 1 100 101 -1 1e2 1.0 +5 0x10 9007199254740993 NaN null'.split(' ')];
  const listed = (known?.schema?.['enum'] ?? []) as readonly unknown[];
  return [
    ...plain,
    hostileText(random),
    hostileText(random),
    ...listed.map(String),
    ...(name === 'cursor' ? cursors(fixture, random) : []),
    ...(/From|To|asOf/.test(name) ? TIMES : []),
  ];
}

const TIMES: readonly string[] = [
  ...['2026-08-03T14:05:09.120Z', '2026-08-03', '2026-02-30T00:00:00.000Z', '2026-08-03T24:00:00.000Z'],
  ...['+275760-09-13T00:00:00.001Z', '-000001-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
  '2026-08-03T14:05:60Z',
];

/** Base64 of other texts, cursors of other lists and merchants, and changed cursors. */
function cursors({ own, other }: FuzzFixture, random: RandomGenerator): readonly string[] {
  const real = random.pick(own.cursors);
  const text = Buffer.from(real, 'base64url').toString('utf8');
  const written = (place: string): string => Buffer.from(place, 'utf8').toString('base64url');
  const binding = text.slice(0, text.indexOf('.'));
  const places = ['', ...'. 0 -1 [] {} [null]'.split(' '), '9'.repeat(400), "' OR 1=1", '\u0000', other.sale];
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

/** Unusual paths and methods; none of them can write. */
export function pathCase({ operations, fixture, random }: CaseSource): FuzzCase {
  const operation = random.pick(operations);
  const right = targetPath(operation, fixture);
  const path = random.pick(TRICKS)(right, random);
  const method = random.pick([operation.method, 'GET', 'POST', 'PUT', 'DELETE', ...ODD_METHODS]);
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  // No call accepts this body, so nothing is written even if the path is valid.
  const body = reads ? {} : { body: Buffer.from('{"thisIsNoField":1}') };
  const headers = [keyHeader(operation, fixture), ...(reads ? [] : [JSON_HEADER])];
  const request = { method, path, headers, ...body };
  return { family: `path of ${operation.path}`, expected: 'Read', request };
}

const ODD_METHODS = 'PATCH OPTIONS HEAD TRACE PROPFIND PURGE SEARCH M-SEARCH LOCK REPORT'.split(' ');

const SUFFIXES = [
  ...'/ /../../../../etc/passwd /%2e%2e/%2e%2e/metrics %00 %0d%0ax-injected:%201 ;jsessionid=1 .json'.split(
    ' ',
  ),
  ...'? ??x #fragment % %zz %c0%af %ff%fe'.split(' '),
  '/a'.repeat(3_000),
  `/${'a'.repeat(8_000)}`,
  '/..'.repeat(2_000),
  '%2f'.repeat(2_000),
];
/** Replace the last slash of a path, its version and the path. */
const LAST_SLASHES = ['%2F', '%5C', '/./', '/../'];
const VERSIONS = ['/v1/v1', '/V1', '/v2', '', '/%76%31'];
const OTHER_PATHS = '* / /v1 /v1/ /admin/v1 /admin /.git/config /sandbox.json'.split(' ');

const TRICKS: readonly ((path: string, random: RandomGenerator) => string)[] = [
  ...SUFFIXES.map((suffix) => (path: string) => path + suffix),
  ...LAST_SLASHES.map((slash) => (path: string) => path.replace(/\/([^/]*)$/, `${slash}$1`)),
  ...VERSIONS.map((version) => (path: string) => path.replace('/v1', version)),
  ...OTHER_PATHS.map((other) => () => other),
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.toUpperCase(),
  (path, random) => path.replace(/[^/]*$/, encoded(hostileText(random).slice(0, 3_000))),
  (path, random) => path.replace(/[^/]*$/, encoded(random.pick(PROTOTYPE_NAMES))),
  (path, random) => `${path}/${encoded(hostileText(random).slice(0, 3_000))}`,
];

/** A lone surrogate has no escape: in UTF-8 it becomes U+FFFD. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));

/** The characters that Node's client sends without an escape. */
const safe = (text: string): string => text.replace(/[^\x21-\x22\x24-\x25\x27-\x7e]/g, '');
