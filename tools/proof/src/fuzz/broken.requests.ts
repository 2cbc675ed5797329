import type { RandomGenerator } from './random.generator.js';
import type { RawRequest } from './fuzz.request.js';
import type { FuzzFixture } from './fuzz.fixture.js';

type Bytes = (fixture: FuzzFixture, random: RandomGenerator) => string;

const SALE = 'POST /v1/transactions/physical-sale HTTP/1.1';

/** A sale that is valid if it is complete. */
function sale(fixture: FuzzFixture, more: readonly string[], body: string, line = SALE): string {
  const key = `x-api-key: ${fixture.own.apiKey}`;
  return [line, 'host: localhost', key, 'content-type: application/json', ...more, '', body].join('\r\n');
}

const chunked = (fixture: FuzzFixture, body: string): string =>
  sale(fixture, ['transfer-encoding: chunked'], body);

const BODY = '{"amount":100}';
const sized = (fixture: FuzzFixture, more: readonly string[], length: number | string, body = BODY): string =>
  sale(fixture, [...more, `content-length: ${length}`], body);

/** No entry is a complete request that may write: each ends early, has a wrong length or is no HTTP. */
const BROKEN: Readonly<Record<string, Bytes>> = {
  'a length above the body': (fixture) => sized(fixture, [], BODY.length + 10),
  'a length below the body': (fixture) => sized(fixture, [], BODY.length - 1),
  'a negative length': (fixture) => sized(fixture, [], -1),
  'a length that is no number': (fixture) => sized(fixture, [], 'ten'),
  'a length in hexadecimal': (fixture) => sized(fixture, [], '0x0e'),
  'a length of twenty digits': (fixture) => sized(fixture, [], '99999999999999999999'),
  'two lengths': (fixture) => sized(fixture, ['content-length: 3'], BODY.length),
  'a length and chunks': (fixture) => sized(fixture, ['transfer-encoding: chunked'], BODY.length),
  'an unknown transfer encoding': (fixture) => sale(fixture, ['transfer-encoding: gzip'], BODY),
  'chunks twice': (fixture) =>
    sale(fixture, ['transfer-encoding: chunked, chunked'], '5\r\n{"amo\r\n0\r\n\r\n'),
  'a chunk that is no number': (fixture) => chunked(fixture, 'zz\r\n{}\r\n0\r\n\r\n'),
  'a chunk of a size beyond all': (fixture) => chunked(fixture, 'fffffffffffffffff\r\n{}'),
  'a negative chunk': (fixture) => chunked(fixture, '-1\r\n{}\r\n0\r\n\r\n'),
  'a chunk without its end': (fixture) => chunked(fixture, `e\r\n${BODY}0\r\n\r\n`),
  'chunks without a last one': (fixture) => chunked(fixture, `e\r\n${BODY}\r\n`),
  'a chunk with long extensions': (fixture) => chunked(fixture, `1;${'a'.repeat(40_000)}\r\n{\r\n0\r\n\r\n`),
  'many chunks of one byte, no JSON': (fixture) => chunked(fixture, `${'1\r\n{\r\n'.repeat(3_000)}0\r\n\r\n`),
  'an unknown method': (fixture) => sale(fixture, [], '', 'FROB /v1/transactions HTTP/1.1'),
  'a method of 9000 letters': (fixture) =>
    sale(fixture, [], '', `${'A'.repeat(9_000)} /v1/transactions HTTP/1.1`),
  'no path': (fixture) => sale(fixture, [], '', 'GET HTTP/1.1'),
  'two blanks': (fixture) => sale(fixture, [], '', 'GET  /v1/transactions  HTTP/1.1'),
  'a blank in the path': (fixture) => sale(fixture, [], '', 'GET /v1/tran sactions HTTP/1.1'),
  'bytes above ASCII in the path': (fixture) => sale(fixture, [], '', 'GET /v1/\u00ff\u00fe HTTP/1.1'),
  'a control character in the path': (fixture) => sale(fixture, [], '', 'GET /v1/\u0001\u0000 HTTP/1.1'),
  'a path of 60 kB': (fixture) => sale(fixture, [], '', `GET /v1/${'a'.repeat(60_000)} HTTP/1.1`),
  'another address': (fixture) => sale(fixture, [], '', 'GET http://169.254.169.254/latest HTTP/1.1'),
  'a host that is no host': () => `GET /v1/transactions HTTP/1.1\r\nhost: \u0001 a b\r\n\r\n`,
  'no host': () => 'GET /v1/transactions HTTP/1.1\r\n\r\n',
  'two hosts': () => 'GET /v1/transactions HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'HTTP 0.9': () => 'GET /v1/transactions\r\n\r\n',
  'HTTP 1.0 without a host': () => 'GET /v1/transactions HTTP/1.0\r\n\r\n',
  'HTTP 2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an upgrade, and behind it what is no HTTP': () =>
    'GET /v1 HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\u0000junk\r\n\r\n',
  'HTTP 9.9': (fixture) => sale(fixture, [], '', 'GET /v1/transactions HTTP/9.9'),
  'a tunnel': () => 'CONNECT localhost:22 HTTP/1.1\r\nhost: localhost:22\r\n\r\n',
  TLS: () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'bytes by chance': (_fixture, random) =>
    Array.from({ length: 400 }, () => String.fromCharCode(random.below(256))).join(''),
  'blank lines only': () => '\r\n'.repeat(2_000),
  nothing: () => '',
  'line feeds alone': (fixture) => sale(fixture, [], '').replaceAll('\r\n', '\n'),
  'a header without a colon': (fixture) => sale(fixture, ['nocolon'], ''),
  'a header with a blank before its colon': (fixture) =>
    sized(fixture, ['transfer-encoding : chunked'], 0, ''),
  'a folded header': (fixture) => sized(fixture, ['x-a: b', '  folded'], 0, ''),
  'a header without a name': (fixture) => sized(fixture, [': x'], 0, ''),
  'a NUL in a header': (fixture) => sized(fixture, ['x-a: b\u0000c'], 0, ''),
  '100 kB of headers': (fixture) => sized(fixture, [`x-a: ${'b'.repeat(100_000)}`], 0, ''),
  '5000 headers': (fixture) => sized(fixture, Array<string>(5_000).fill('a:b'), 0, ''),
  'headers that never end': (fixture) => sized(fixture, [], 0, '').slice(0, -2),
  'a second request in the body of a first': (fixture) =>
    sized(fixture, [], 2, '{}') + `GET /admin/v1/merchants HTTP/1.1\r\nhost: a\r\n\r\n`,
  'fifty requests at once': () => 'GET /v1/transactions HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50),
  'a part of a valid sale': (fixture, random) => {
    const whole = sized(fixture, [], BODY.length);
    return whole.slice(0, 1 + random.below(whole.length - 1));
  },
  'a wait for "continue", and nothing after it': (fixture) =>
    sized(fixture, ['expect: 100-continue'], BODY.length, ''),
};

export function brokenRequest(fixture: FuzzFixture, random: RandomGenerator): RawRequest {
  const name = random.pick(Object.keys(BROKEN));
  const bytes = Buffer.from((BROKEN[name] ?? BROKEN['nothing'])?.(fixture, random) ?? '', 'latin1');
  // The service answers a complete GET with bytes behind it, so such a request may be read.
  const expected = bytes.subarray(0, 3).toString() === 'GET' ? 'Read' : 'Refused';
  return { name, bytes, expected, then: random.pick(['half-close', 'half-close', 'destroy', 'wait']) };
}

/** A request that arrives in pieces; with `neverEnds` it never completes. */
export function slowRequest(fixture: FuzzFixture, neverEnds: boolean, index: number): RawRequest {
  const slow = (name: string, text: string, piece: number, pauseMs: number): RawRequest => ({
    name,
    bytes: Buffer.from(text, 'latin1'),
    expected: 'Refused',
    then: 'wait',
    slowly: { piece, pauseMs },
  });
  const body = '{"amount":0}';
  if (!neverEnds) return slow('a byte now and then', sized(fixture, [], body.length, body), 8, 100);
  const inHeaders = index % 2 === 0;
  const whole = inHeaders
    ? `${sale(fixture, [], '').slice(0, -2)}x-a: ${'b'.repeat(2_000)}`
    : sized(fixture, [], 2_000, ' '.repeat(1_000));
  return slow(inHeaders ? 'headers that drip on' : 'a body that drips on', whole, 1, 250);
}
