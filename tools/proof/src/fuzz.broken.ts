import type { Chance } from './fuzz.chance.js';
import type { RawRequest } from './fuzz.request.js';
import type { FuzzWorld } from './fuzz.world.js';

type Bytes = (world: FuzzWorld, chance: Chance) => string;

const SALE = 'POST /v1/transactions/physical-sale HTTP/1.1';

/** A sale that would be taken, if it were whole. */
function sale(world: FuzzWorld, more: readonly string[], body: string, line = SALE): string {
  const key = `x-api-key: ${world.own.apiKey}`;
  return [line, 'host: localhost', key, 'content-type: application/json', ...more, '', body].join('\r\n');
}

const BODY = '{"amount":100}';
const sized = (world: FuzzWorld, more: readonly string[], length: number | string, body = BODY): string =>
  sale(world, [...more, `content-length: ${length}`], body);

/** Nothing here is a whole request that may write: each ends early, lies about its length or is no HTTP. */
const BROKEN: Readonly<Record<string, Bytes>> = {
  'a length above the body': (world) => sized(world, [], BODY.length + 10),
  'a length below the body': (world) => sized(world, [], BODY.length - 1),
  'a negative length': (world) => sized(world, [], -1),
  'a length that is no number': (world) => sized(world, [], 'ten'),
  'a length in hexadecimal': (world) => sized(world, [], '0x0e'),
  'a length of twenty digits': (world) => sized(world, [], '99999999999999999999'),
  'two lengths': (world) => sized(world, ['content-length: 3'], BODY.length),
  'a length and chunks': (world) => sized(world, ['transfer-encoding: chunked'], BODY.length),
  'an unknown transfer encoding': (world) => sale(world, ['transfer-encoding: gzip'], BODY),
  'chunks twice': (world) => sale(world, ['transfer-encoding: chunked, chunked'], '5\r\n{"amo\r\n0\r\n\r\n'),
  'a chunk that is no number': (world) =>
    sale(world, ['transfer-encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
  'a chunk of a size beyond all': (world) =>
    sale(world, ['transfer-encoding: chunked'], 'fffffffffffffffff\r\n{}'),
  'a negative chunk': (world) => sale(world, ['transfer-encoding: chunked'], '-1\r\n{}\r\n0\r\n\r\n'),
  'a chunk without its end': (world) => sale(world, ['transfer-encoding: chunked'], `e\r\n${BODY}0\r\n\r\n`),
  'chunks without a last one': (world) => sale(world, ['transfer-encoding: chunked'], `e\r\n${BODY}\r\n`),
  'a chunk with long extensions': (world) =>
    sale(world, ['transfer-encoding: chunked'], `1;${'a'.repeat(40_000)}\r\n{\r\n0\r\n\r\n`),
  'many chunks of one byte, no JSON': (world) =>
    sale(world, ['transfer-encoding: chunked'], `${'1\r\n{\r\n'.repeat(3_000)}0\r\n\r\n`),
  'an unknown method': (world) => sale(world, [], '', 'FROB /v1/transactions HTTP/1.1'),
  'a method of 9000 letters': (world) =>
    sale(world, [], '', `${'A'.repeat(9_000)} /v1/transactions HTTP/1.1`),
  'no path': (world) => sale(world, [], '', 'GET HTTP/1.1'),
  'two blanks': (world) => sale(world, [], '', 'GET  /v1/transactions  HTTP/1.1'),
  'a blank in the path': (world) => sale(world, [], '', 'GET /v1/tran sactions HTTP/1.1'),
  'bytes above ASCII in the path': (world) => sale(world, [], '', 'GET /v1/\u00ff\u00fe HTTP/1.1'),
  'a control character in the path': (world) => sale(world, [], '', 'GET /v1/\u0001\u0000 HTTP/1.1'),
  'a path of 60 kB': (world) => sale(world, [], '', `GET /v1/${'a'.repeat(60_000)} HTTP/1.1`),
  'another address': (world) => sale(world, [], '', 'GET http://169.254.169.254/latest HTTP/1.1'),
  'a host that is no host': () => `GET /v1/transactions HTTP/1.1\r\nhost: \u0001 a b\r\n\r\n`,
  'no host': () => 'GET /v1/transactions HTTP/1.1\r\n\r\n',
  'two hosts': () => 'GET /v1/transactions HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'HTTP 0.9': () => 'GET /v1/transactions\r\n\r\n',
  'HTTP 1.0 without a host': () => 'GET /v1/transactions HTTP/1.0\r\n\r\n',
  'HTTP 2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an upgrade, and behind it what is no HTTP': () =>
    'GET /v1 HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\u0000junk\r\n\r\n',
  'HTTP 9.9': (world) => sale(world, [], '', 'GET /v1/transactions HTTP/9.9'),
  'a tunnel': () => 'CONNECT localhost:22 HTTP/1.1\r\nhost: localhost:22\r\n\r\n',
  TLS: () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'bytes by chance': (_world, chance) =>
    Array.from({ length: 400 }, () => String.fromCharCode(chance.below(256))).join(''),
  'blank lines only': () => '\r\n'.repeat(2_000),
  nothing: () => '',
  'line feeds alone': (world) => sale(world, [], '').replaceAll('\r\n', '\n'),
  'a header without a colon': (world) => sale(world, ['nocolon'], ''),
  'a header with a blank before its colon': (world) => sized(world, ['transfer-encoding : chunked'], 0, ''),
  'a folded header': (world) => sized(world, ['x-a: b', '  folded'], 0, ''),
  'a header without a name': (world) => sized(world, [': x'], 0, ''),
  'a NUL in a header': (world) => sized(world, ['x-a: b\u0000c'], 0, ''),
  '100 kB of headers': (world) => sized(world, [`x-a: ${'b'.repeat(100_000)}`], 0, ''),
  '5000 headers': (world) =>
    sized(
      world,
      Array.from({ length: 5_000 }, () => 'a:b'),
      0,
      '',
    ),
  'headers that never end': (world) => sized(world, [], 0, '').slice(0, -2),
  'a second request in the body of a first': (world) =>
    sized(world, [], 2, '{}') + `GET /admin/v1/merchants HTTP/1.1\r\nhost: a\r\n\r\n`,
  'fifty requests at once': () => 'GET /v1/transactions HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50),
  'a part of a valid sale': (world, chance) => {
    const whole = sized(world, [], BODY.length);
    return whole.slice(0, 1 + chance.below(whole.length - 1));
  },
  'a wait for "continue", and nothing after it': (world) =>
    sized(world, ['expect: 100-continue'], BODY.length, ''),
};

export function brokenRequest(world: FuzzWorld, chance: Chance): RawRequest {
  const name = chance.pick(Object.keys(BROKEN));
  const bytes = Buffer.from((BROKEN[name] ?? BROKEN['nothing'])?.(world, chance) ?? '', 'latin1');
  // A whole request with something behind it is answered; the others wait for more unless they are cut off.
  // Some of what looks broken is read all the same.
  const expected = bytes.subarray(0, 3).toString() === 'GET' ? 'Read' : 'Refused';
  return { name, bytes, expected, then: chance.pick(['half-close', 'half-close', 'destroy', 'wait']) };
}

/** A byte now and then: ones that end, refused, and ones that never do. */
export function slowRequest(world: FuzzWorld, neverEnds: boolean, index: number): RawRequest {
  const body = '{"amount":0}';
  if (!neverEnds) {
    const bytes = Buffer.from(sized(world, [], body.length, body), 'latin1');
    return {
      name: 'a byte now and then',
      bytes,
      expected: 'Refused',
      then: 'wait',
      slowly: { piece: 8, pauseMs: 100 },
    };
  }
  const inHeaders = index % 2 === 0;
  const whole = inHeaders
    ? `${sale(world, [], '').slice(0, -2)}x-a: ${'b'.repeat(2_000)}`
    : sized(world, [], 2_000, ' '.repeat(1_000));
  const name = inHeaders ? 'headers that drip on' : 'a body that drips on';
  return {
    name,
    bytes: Buffer.from(whole, 'latin1'),
    expected: 'Refused',
    then: 'wait',
    slowly: { piece: 1, pauseMs: 250 },
  };
}
