import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { envelopeOf, refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const sell = (body: string, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/transactions/physical-sale', { body, headers });

describe('A body', () => {
  it.each([
    ['no JSON', '{"amount":1'],
    ['an array', '[{"amount":1}]'],
    ['a number', '1'],
    ['null', 'null'],
    ['a text', '"amount"'],
    ['empty where something is required', ''],
    ['two objects', '{"amount":1}{"amount":1}'],
    ['with a trailing comma', '{"amount":1,}'],
    ['with a comment', '{"amount":1/*x*/}'],
  ])('that is %s: 400, 2900', async (_kind, body) => {
    expect(refusal(await sell(body))).toBe('400 2900 Rejected body');
  });

  it('with an amount that only rounding makes an integer: 400, 2012', async () => {
    const body = `{"amount":0.99999999999999999999,"paymentMethodId":"${api.method('Front counter').id}"}`;
    expect(refusal(await sell(body))).toBe('400 2012 Rejected amount');
  });

  it('with such a number where a text belongs: 400, 2000', async () => {
    const body = '{"amount":1000,"referenceId":0.99999999999999999999}';
    expect(refusal(await sell(body))).toBe('400 2000 Rejected referenceId');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=latin1',
  ])('of the type %s: 400, 2900', async (type) => {
    expect(refusal(await sell('{"amount":1000}', { 'content-type': type }))).toBe('400 2900 Rejected body');
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('of the type %s is taken', async (type) => {
    expect((await sell('{"amount":1000}', { 'content-type': type })).status).toBe(200);
  });

  it('that is compressed, or no UTF-8: 400, 2900', async () => {
    expect(refusal(await sell('{"amount":1000}', { 'content-encoding': 'gzip' }))).toBe(
      '400 2900 Rejected body',
    );
    expect(refusal(await rawSell(Buffer.from('{"amount":1000,"referenceId":"\xff"}', 'latin1')))).toBe(
      '400 2900 Rejected body',
    );
  });

  it('of 100,000 bytes is read, and one byte more: 400, 2900', async () => {
    const body = '{"amount":1000}';
    expect((await sell(body.padEnd(100_000))).status).toBe(200);
    expect(refusal(await sell(body.padEnd(100_001)))).toBe('400 2900 Rejected body');
    expect(refusal(await sell(body.padEnd(3_000_000)))).toBe('400 2900 Rejected body');
  });

  it('without a length that grows over the limit: 400, 2900', async () => {
    const reply = await rawSell(Buffer.from('{"amount":1000}'.padEnd(150_000)), { chunked: true });
    expect(refusal(reply)).toBe('400 2900 Rejected body');
  });

  it('is looked at after the key: 401 wins over 2900', async () => {
    const reply = await api.call('POST', '/v1/transactions/physical-sale', { body: 'no json', key: null });
    expect(envelopeOf(reply).code).toBe(1000);
  });
});

describe('What is no HTTP', () => {
  it('gets an envelope too, and its connection is closed', async () => {
    expectEnvelope(await rawBytes('GET / HTTP/1.1\r\nbad header\r\n\r\n'), 400, 2900);
  });
});

describe('What comes after a sale on the same connection, and is no HTTP', () => {
  const sale = (tail: string, amount: number, more = '') => {
    const body = JSON.stringify({ amount, referenceId: `tail-${amount}` });
    const headers = `Host: a\r\nx-api-key: ${api.key}\r\ncontent-type: application/json\r\n${more}`;
    const length = `content-length: ${Buffer.byteLength(body)}`;
    return `POST /v1/transactions/physical-sale HTTP/1.1\r\n${headers}${length}\r\n\r\n${body}${tail}`;
  };
  const statuses = (answers: string) =>
    [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

  it.each([
    ['one byte too many', 'x', 1_001],
    ['a brace too many', '}}', 1_002],
    ['no head of a request', 'GARBAGE\r\n\r\n', 1_003],
    ['a length that is no number', 'GET /v1/x HTTP/1.1\r\ncontent-length: x\r\n\r\n', 1_004],
  ])('%s: the sale is answered first, as it ended', async (_what, tail, amount) => {
    const answers = await rawBytes(sale(tail, amount));
    expect(statuses(answers)).toEqual(['200', '400']);
    expect(answers).toContain(`"amount":${amount}`);
  });

  it('so are several sales that came before it', async () => {
    expect(statuses(await rawBytes(sale('', 1_005) + sale('', 1_006) + sale('x', 1_007)))).toEqual([
      '200',
      '200',
      '200',
      '400',
    ]);
  });

  it('and where the client said that the sale is its last, nothing but its answer', async () => {
    const answers = await rawBytes(sale('x', 1_008, 'Connection: close\r\n'));
    expect(statuses(answers)).toEqual(['200']);
  });

  it('though it comes while the sale is carried out', async () => {
    const answers = await rawBytes(sale('', 920_005), { text: 'garbage\r\n\r\n', afterMs: 200 });
    expect(statuses(answers)).toEqual(['500', '400']);
    expect(answers).toContain('"status":"Interrupted"');
  });
});

describe('What Node would answer by itself', () => {
  const look = 'GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n';

  it('a request without Host: 400, 2900 in an envelope', async () => {
    expectEnvelope(await rawBytes(`${look}\r\n`), 400, 2900);
  });

  it('HTTP/1.0, which needs no Host, is answered like any other', async () => {
    expectEnvelope(await rawBytes('GET /v1/nothing HTTP/1.0\r\n\r\n'), 401, 1000);
  });

  it('ignores an unknown expectation', async () => {
    expectEnvelope(await rawBytes(`${look}Host: a\r\nExpect: foo\r\n\r\n`), 401, 1000);
    const headers = `Host: a\r\nExpect: foo\r\nx-api-key: ${api.key}\r\n`;
    const sale = `POST /v1/transactions/physical-sale HTTP/1.1\r\nConnection: close\r\n${headers}`;
    const body = 'content-type: application/json\r\ncontent-length: 14\r\n\r\n{"amount":1000';
    expectEnvelope(await rawBytes(sale + body), 400, 2900);
  });

  it.each(['websocket', 'h2c'])(
    'an upgrade to %s is passed over, and its connection closed',
    async (protocol) => {
      const upgrade = `Host: a\r\nUpgrade: ${protocol}\r\nConnection: upgrade\r\n\r\n`;
      // Only a connection that is closed has an end to wait for.
      expectEnvelope(await rawBytes(`GET /v1/nothing HTTP/1.1\r\n${upgrade}`), 401, 1000);
    },
  );
});

function expectEnvelope(answer: string, status: number, code: number): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toMatch(/\r\nx-trace-id: [0-9a-f]{32}\r\n/);
  expect(answer).toMatch(/\r\nx-api-version: 2026\.08\.03\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ code, status: 'Rejected' });
}

function rawSell(bytes: Buffer, { chunked = false } = {}) {
  return new Promise<{ status: number; headers: Headers; text: string }>((resolve, reject) => {
    const request = httpRequest(
      `${api.running.origin}/v1/transactions/physical-sale`,
      {
        method: 'POST',
        headers: {
          'x-api-key': api.key,
          'content-type': 'application/json',
          ...(!chunked && { 'content-length': bytes.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(),
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

function rawBytes(text: string, later?: { text: string; afterMs: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.running.port, '127.0.0.1', () => socket.write(text));
    if (later) setTimeout(() => socket.write(later.text), later.afterMs);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}
