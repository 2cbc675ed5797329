import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionPool } from './connection.pool.js';
import type { ResponseFormat, OutgoingRequest } from './http.call.js';

const servers: Server[] = [];
const opened: ConnectionPool[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Heard {
  readonly asked: string;
  readonly said: readonly string[];
}

/** What a server was asked, and what its answer `text` is taken for. */
async function heard(
  responseFormat: ResponseFormat,
  text: string,
  of: Partial<OutgoingRequest> = {},
): Promise<Heard> {
  let asked = '';
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked = `${method} ${url} ${headers['content-type'] ?? 'no type'}`;
    request.setEncoding('utf8').on('data', (chunk: string) => (asked += ` ${chunk}`));
    request.once('end', () => response.end(text));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connections = new ConnectionPool({ url, connectionsMax: 2, responseFormat, lineBytesMax: 40 });
  opened.push(connections);
  const said: string[] = [];
  await new Promise<void>((resolve) => {
    const outgoing: OutgoingRequest = {
      method: 'POST',
      path: '/a',
      headers: {},
      connectWithinMs: 2_000,
      mayWrite: () => true,
      ...of,
    };
    const ended = (): void => resolve();
    const underway = connections.call(outgoing, {
      unsent: (reason) => {
        said.push(reason);
        resolve();
      },
      written: () => undefined,
      line: (status, value) => {
        said.push(`${status} ${JSON.stringify(value)}`);
        if (value !== undefined) return;
        underway.cancel();
        resolve();
      },
      ended,
    });
  });
  return { asked, said };
}

describe('A call', () => {
  it('has the method that it is given, and its body as JSON', async () => {
    expect((await heard('Body', '{}', { method: 'PUT', body: { amount: 1 } })).asked).toBe(
      'PUT /a application/json {"amount":1}',
    );
    expect((await heard('Body', '{}', { method: 'GET' })).asked).toBe('GET /a no type');
  });
});

describe('An answer that is one body', () => {
  it.each([
    ['{"a":1}', '200 {"a":1}'],
    ['{\n  "a": 1\n}\n', '200 {"a":1}'],
    ['{"a":1', '200 undefined'],
    ['', '200 undefined'],
    [`{"a":"${'x'.repeat(40)}"}`, '200 undefined'],
  ])('%j is taken as a whole', async (text, said) => {
    expect((await heard('Body', text)).said).toEqual([said]);
  });
});

describe('An answer in lines', () => {
  it.each([
    ['{"a":1}\n{"b":2}\n', ['200 {"a":1}', '200 {"b":2}']],
    ['{"a":1}', ['200 undefined']],
    ['', ['200 undefined']],
  ])('%j is taken line by line, each with its end', async (text, said) => {
    expect((await heard('Lines', text)).said).toEqual(said);
  });
});
