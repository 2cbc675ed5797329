import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionPool } from './connection.pool.js';
import type { ResponseFormat, OutgoingRequest } from './http.call.js';

const servers: Server[] = [];
const opened: ConnectionPool[] = [];
afterEach(async () => {
  for (const pool of opened.splice(0)) pool.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Exchange {
  readonly request: string;
  readonly lines: readonly string[];
}

/** Calls a server that responds with `text`. */
async function exchange(
  responseFormat: ResponseFormat,
  text: string,
  outgoingPart: Partial<OutgoingRequest> = {},
): Promise<Exchange> {
  let received = '';
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    received = `${method} ${url} ${headers['content-type'] ?? 'no type'}`;
    request.setEncoding('utf8').on('data', (chunk: string) => (received += ` ${chunk}`));
    request.once('end', () => response.end(text));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connections = new ConnectionPool({ url, connectionsMax: 2, responseFormat, lineBytesMax: 40 });
  opened.push(connections);
  const lines: string[] = [];
  await new Promise<void>((resolve) => {
    const outgoing: OutgoingRequest = {
      method: 'POST',
      path: '/a',
      headers: {},
      connectWithinMs: 2_000,
      mayWrite: () => true,
      ...outgoingPart,
    };
    const handle = connections.call(outgoing, {
      unsent: (reason) => {
        lines.push(reason);
        resolve();
      },
      written: () => undefined,
      line: (status, value) => {
        lines.push(`${status} ${JSON.stringify(value)}`);
        if (value !== undefined) return;
        handle.cancel();
        resolve();
      },
      ended: () => resolve(),
    });
  });
  return { request: received, lines };
}

describe('A call', () => {
  it('has the given method, and its body as JSON', async () => {
    expect((await exchange('Body', '{}', { method: 'PUT', body: { amount: 1 } })).request).toBe(
      'PUT /a application/json {"amount":1}',
    );
    expect((await exchange('Body', '{}', { method: 'GET' })).request).toBe('GET /a no type');
  });
});

describe('A response that is one body', () => {
  it.each([
    ['{"a":1}', '200 {"a":1}'],
    ['{\n  "a": 1\n}\n', '200 {"a":1}'],
    ['{"a":1', '200 undefined'],
    ['', '200 undefined'],
    [`{"a":"${'x'.repeat(40)}"}`, '200 undefined'],
  ])('%j is read as a whole', async (text, line) => {
    expect((await exchange('Body', text)).lines).toEqual([line]);
  });
});

describe('A response in lines', () => {
  it.each([
    ['{"a":1}\n{"b":2}\n', ['200 {"a":1}', '200 {"b":2}']],
    ['{"a":1}', ['200 undefined']],
    ['', ['200 undefined']],
  ])('%j is read line by line, each up to its end', async (text, lines) => {
    expect((await exchange('Lines', text)).lines).toEqual(lines);
  });
});
