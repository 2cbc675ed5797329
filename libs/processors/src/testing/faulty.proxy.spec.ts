import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { openFaultyProxy, type FaultyProxy, type ProxyFault } from './faulty.proxy.js';

/** A server that answers each call with its number, and then keeps the connection or closes it. */
let server: Server;
let proxy: FaultyProxy;
let calls = 0;

async function start(connection: 'keep-alive' | 'close', always?: ProxyFault): Promise<void> {
  calls = 0;
  server = createServer((request, response) => {
    request.resume();
    calls++;
    response.setHeader('connection', connection);
    response.end(JSON.stringify({ call: `c-${calls}`, key: 'trx_1.1', amount: 5 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await openFaultyProxy((server.address() as AddressInfo).port, always);
}

/** The status and body of the response, or the code of the error. */
function responseTo(path = '/'): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest({ port: proxy.port, host: '127.0.0.1', path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () =>
        resolve(response.complete ? `${response.statusCode} ${text}` : 'incomplete'),
      );
      response.once('error', () => resolve('incomplete'));
    });
    request.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
    request.end();
  });
}

/** All bytes of the response, until the proxy closes the connection or is silent for 100 ms. */
function bytesFor(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(proxy.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.setTimeout(100, () => socket.destroy());
    socket.once('close', () => resolve(text));
  });
}

const whole = (n: number): string => `200 {"call":"c-${n}","key":"trx_1.1","amount":5}`;

afterEach(async () => {
  await proxy.close().catch(() => undefined);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe.each(['keep-alive', 'close'] as const)('A proxy of a server with connection: %s', (connection) => {
  it('passes requests without a fault', async () => {
    await start(connection);
    expect([await responseTo(), await responseTo()]).toEqual([whole(1), whole(2)]);
    expect(proxy.requests).toBe(2);
  });

  it.each<[ProxyFault, string, number]>([
    ['ResetBefore', 'ECONNRESET', 0],
    ['ResetAfter', 'ECONNRESET', 1],
    ['CutOff', 'incomplete', 1],
    ['Garbled', '200 {"callId":\n', 1],
    ['BadGateway', '502 <h1>Sorry</h1>\r\n', 1],
    [{ anotherIn: 'call' }, whole(1).replace('c-1', 'e-1'), 1],
    [{ anotherIn: 'key' }, whole(1).replace('trx_1.1', 'erx_1.1'), 1],
    [{ delayMs: 30 }, whole(1), 1],
  ])('%j', async (fault, answer, arrived) => {
    await start(connection);
    proxy.inject(fault);
    expect(await responseTo()).toBe(answer);
    expect(calls).toBe(arrived);
    expect(await responseTo()).toBe(whole(arrived + 1));
  });

  it('sends a response twice', async () => {
    await start(connection, 'Doubled');
    const twice = (await bytesFor()).match(/"call":"c-1"/g);
    expect(twice).toHaveLength(2);
  });

  it('sends a response that is too long', async () => {
    await start(connection, 'TooLong');
    expect((await responseTo()).length).toBeGreaterThan(200_000);
  });
});

it('`close` rejects if a fault found no field to change', async () => {
  await start('keep-alive');
  proxy.inject({ anotherIn: 'callId' });
  void bytesFor();
  while (calls === 0) await new Promise((resume) => setTimeout(resume, 5));
  await new Promise((resume) => setTimeout(resume, 50));
  await expect(proxy.close()).rejects.toThrow('no field "callId"');
});
