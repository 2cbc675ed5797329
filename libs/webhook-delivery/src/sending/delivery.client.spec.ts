import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { DeliveryClient } from './delivery.client.js';
import { ANSWER_BYTES_MAX, type DeliveryAnswer } from './posted.delivery.js';
import { AllowedAddresses } from './special.address.js';

const LOOPBACK = new AllowedAddresses(['127.0.0.0/8', '::1']);
const LIMIT_MS = 400;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function client(options: Partial<ConstructorParameters<typeof DeliveryClient>[0]> = {}): DeliveryClient {
  const made = new DeliveryClient({ allowed: LOOPBACK, timeLimitMs: LIMIT_MS, ...options });
  closing.push(() => made.close());
  return made;
}

async function listening<Of extends Server | ReturnType<typeof createTcpServer>>(
  server: Of,
): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const http = (listener: RequestListener): Promise<number> => listening(createServer(listener));
const tcp = (onSocket: (socket: Socket) => void): Promise<number> =>
  listening(createTcpServer((socket) => onSocket(socket.on('error', () => undefined))));

const post = (to: DeliveryClient, port: number, host = '127.0.0.1'): Promise<DeliveryAnswer> =>
  to.post({
    url: new URL(`http://${host}:${port}/hooks?a=1`),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"event":{}}'),
  });

const text = ({ answer }: DeliveryAnswer): string => Buffer.from(answer).toString();

describe('A delivery request', () => {
  it('posts the bytes with their headers, and returns status and answer', async () => {
    const seen: unknown[] = [];
    const port = await http((request, response) => {
      request.on('data', (chunk: Buffer) =>
        seen.push(request.method, request.url, request.headers['content-type'], chunk.toString()),
      );
      request.on('end', () => response.writeHead(201).end('saved'));
    });
    const answer = await post(client(), port);
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.error).toBeUndefined();
    expect(text(answer)).toBe('saved');
    expect(seen).toEqual(['POST', '/hooks?a=1', 'application/json', '{"event":{}}']);
  });

  it('keeps its connection for the next one', async () => {
    const ports = new Set<number | undefined>();
    const port = await http((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume().on('end', () => response.end('x'.repeat(20_000)));
    });
    const sender = client();
    for (let sent = 0; sent < 5; sent++) {
      expect(await post(sender, port)).toMatchObject({ status: 200 });
      // The connection is free one turn of the event loop after its answer.
      await setImmediate();
    }
    expect(ports.size).toBe(1);
    expect(sender.sockets).toBe(1);
  });

  it('is sent again at once if its kept connection was just being closed', async () => {
    let requests = 0;
    const port = await http((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('ok');
    });
    const sender = client();
    await post(sender, port);
    await setImmediate();
    expect(await post(sender, port)).toMatchObject({ status: 200 });
    expect(requests).toBe(3);
  });

  it('returns a redirect as it is, and does not follow it', async () => {
    let followed = 0;
    const target = await http((_request, response) => {
      followed += 1;
      response.end();
    });
    const port = await http((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end();
    });
    expect(await post(client(), port)).toMatchObject({ status: 307 });
    expect(followed).toBe(0);
  });

  it('returns 410 and Retry-After', async () => {
    const port = await http((_request, response) =>
      response.writeHead(410, { 'retry-after': '120' }).end('gone'),
    );
    expect(await post(client(), port)).toMatchObject({ status: 410, retryAfter: '120' });
  });

  it('keeps 4 kB of a large answer, and reads no answer without an end', async () => {
    const large = await http((_request, response) => response.end('y'.repeat(50_000)));
    expect(text(await post(client(), large))).toBe('y'.repeat(ANSWER_BYTES_MAX));
    let written = 0;
    const endless = await http((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('z'.repeat(10_000))) written += 10_000;
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const answer = await post(client({ timeLimitMs: 5_000 }), endless);
    expect(answer).toMatchObject({ status: 200 });
    expect(text(answer)).toHaveLength(ANSWER_BYTES_MAX);
    await sleep(50);
    const stopped = written;
    await sleep(50);
    expect(written).toBe(stopped);
  });
});

describe('The time limit', () => {
  const within = async (answer: Promise<DeliveryAnswer>): Promise<DeliveryAnswer> => {
    const startedAt = performance.now();
    const result = await answer;
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS * 3);
    expect(result.error).toBe('no whole answer within 0.4 s');
    return result;
  };

  it('ends a request that is never answered', async () => {
    const port = await tcp(() => undefined);
    expect((await within(post(client(), port))).status).toBeUndefined();
  });

  it('ends an answer whose headers come byte by byte', async () => {
    const port = await tcp((socket) => {
      const bytes = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx-slow: 1\r\n\r\n'.repeat(4);
      let next = 0;
      const timer = setInterval(() => socket.write(bytes[next++] ?? ' '), 30);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await within(post(client(), port))).status).toBeUndefined();
  });

  it('ends an answer whose body comes byte by byte, and keeps its status and what came', async () => {
    const port = await http((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const answer = await within(post(client(), port));
    expect(answer.status).toBe(200);
    expect(text(answer)).toMatch(/^\.+$/);
  });

  it('ends the look-up of a name whose servers never answer', async () => {
    const silent = client({ resolve: () => new Promise(() => undefined) });
    expect((await within(post(silent, 80, 'silent.example'))).status).toBeUndefined();
  });

  it('ends informational answers without an end', async () => {
    const port = await tcp((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await within(post(client(), port))).status).toBeUndefined();
  });
});

describe('A failed request', () => {
  const failure = async (
    sender: DeliveryClient,
    port: number,
    host?: string,
  ): Promise<string | undefined> => {
    const { status, error } = await post(sender, port, host);
    expect(status).toBeUndefined();
    return error;
  };

  it('says that the connection was refused', async () => {
    const port = await http(() => undefined);
    for (const close of closing.splice(0)) await close();
    expect(await failure(client(), port)).toBe('the connection was refused');
  });

  it('says that the connection was reset or closed', async () => {
    const reset = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await failure(client(), reset)).toMatch(/^the connection was (reset|closed before the answer)$/);
    const closed = await tcp((socket) => socket.once('data', () => socket.end()));
    expect(await failure(client(), closed)).toBe('the connection was closed before the answer');
  });

  it('says that the answer is not HTTP', async () => {
    const port = await tcp((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n')));
    expect(await failure(client(), port)).toBe('the answer is not HTTP');
  });

  it('says that a name has no address', async () => {
    const resolve = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await failure(client({ resolve }), 80, 'missing.example')).toBe('the name has no address');
  });

  it('refuses headers without an end', async () => {
    const port = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`x-${'a'.repeat(5_000)}: b\r\n`), 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await failure(client(), port)).toBe('the headers of the answer are too long');
  });
});

describe('A special address', () => {
  const REFUSED = 'the address is not a public one';
  let requests = 0;
  const counted = (): Promise<number> => http((_request, response) => void ((requests += 1), response.end()));
  beforeEach(() => (requests = 0));

  it('is not connected to, as a URL in any spelling', async () => {
    const guarded = client({ allowed: new AllowedAddresses() });
    const port = await counted();
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0'])
      expect(await post(guarded, port, host)).toMatchObject({ status: undefined, error: REFUSED });
    expect(requests).toBe(0);
  });

  it('is not connected to through a name', async () => {
    const port = await counted();
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', 'not-an-address']) {
      const guarded = client({ allowed: new AllowedAddresses(), resolve: async () => [address] });
      expect((await post(guarded, port, 'rebound.example')).error).toBe(REFUSED);
    }
    expect(requests).toBe(0);
  });

  it('is not connected to if the name resolves to it at the second look-up only', async () => {
    const answers = [['203.0.114.1'], ['127.0.0.1']];
    const asked: string[] = [];
    const resolve = async (name: string): Promise<readonly string[]> => {
      asked.push(name);
      return answers.shift() ?? ['127.0.0.1'];
    };
    const guarded = client({ allowed: new AllowedAddresses(), resolve });
    const port = await counted();
    // The first answer is checked and connected to: nothing listens there.
    const first = await post(guarded, port, 'rebound.example');
    expect(first.status).toBeUndefined();
    expect(first.error).not.toBe(REFUSED);
    expect(asked).toEqual(['rebound.example']);
    expect((await post(guarded, port, 'rebound.example')).error).toBe(REFUSED);
    expect(requests).toBe(0);
  });

  it('among several addresses of a name is left out', async () => {
    const port = await counted();
    const allowed = new AllowedAddresses(['127.0.0.1']);
    const guarded = client({ allowed, resolve: async () => ['10.0.0.1', '127.0.0.2', '127.0.0.1', '::1'] });
    expect(await post(guarded, port, 'several.example')).toMatchObject({ status: 200 });
    expect(requests).toBe(1);
  });
});
