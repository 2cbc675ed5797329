import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { ApiResponse } from '../http/api.request.js';
import { JsonPage } from '../http/json.page.js';
import { readCsv } from '../testing/csv.page.js';
import { csvParts } from './csv.format.js';
import { sendCsv } from './csv.response.js';

const columns = ['id', 'note'].map((name) => ({ name, path: [name] }));
const LAST = { hasMore: false, nextCursor: null };

let server: Server;
/** What the service does with its next request. */
let serve: (response: ApiResponse) => Promise<void>;
let served: Promise<unknown>;
beforeAll(async () => {
  server = createServer((_request, response) => {
    served = serve(response as ApiResponse).then(
      () => 'sent',
      (error: unknown) => {
        if (!response.headersSent) response.writeHead(500).end();
        return String(error);
      },
    );
  });
  server.listen(0);
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function response(): Promise<IncomingMessage> {
  const [received] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [
    IncomingMessage,
  ];
  return received;
}

it('A page is sent part by part, as fast as the client reads', async () => {
  const note = 'x'.repeat(200_000);
  let read = 0;
  const data = Array.from({ length: 100 }, (_, index) => ({
    id: `trx_${index}`,
    get note() {
      read += 1;
      return note;
    },
  }));
  serve = (to) => sendCsv(to, columns, { data, ...LAST });
  const received = await response();
  await new Promise((resume) => setTimeout(resume, 300));
  // The client has not read yet: only what the buffers of the connection take has been made.
  expect(read).toBeLessThan(100);
  expect(readCsv(await textOf(received)).rows).toHaveLength(100);
  expect([read, await served]).toEqual([100, 'sent']);
});

it('A page is sent without a warning of Node that a response has too many listeners', async () => {
  let mostListeners = 0;
  serve = (to) => {
    // Those of the middleware: the log line, the metrics, the turn, the stop.
    for (let listener = 0; listener < 4; listener++) to.on('close', () => undefined);
    to.on('newListener', (name) => {
      if (name === 'close') mostListeners = Math.max(mostListeners, to.listenerCount('close') + 1);
    });
    return sendCsv(to, columns, { data: [{ id: 'trx_1', note: '' }], ...LAST });
  };
  await textOf(await response());
  expect(mostListeners).toBeGreaterThan(4);
  expect(mostListeners).toBeLessThanOrEqual(10);
});

it('A client that leaves in the middle is no failure of the service, and nothing more is made for it', async () => {
  const data = Array.from({ length: 100 }, (_, index) => ({ id: String(index), note: 'x'.repeat(200_000) }));
  serve = (to) => sendCsv(to, columns, { data, ...LAST });
  (await response()).destroy();
  expect(await served).toBe('sent');
});

it('Where a stored item cannot be read, nothing of the page has been sent yet', async () => {
  serve = (to) => sendCsv(to, columns, new JsonPage(['{"id":"a"}', '{"id":'], LAST));
  const received = await response();
  expect(received.statusCode).toBe(500);
  expect(await served).toMatch(/SyntaxError/);
});

it('A page as JSON texts is the page of their items, with cursor and total in headers', async () => {
  const rest = { hasMore: true, nextCursor: 'abc', total: 10_000, totalIsAtLeast: true };
  serve = (to) => sendCsv(to, columns, new JsonPage(['{"id":"a","note":"x"}', '{"id":"b"}'], rest));
  const received = await response();
  expect(await textOf(received)).toBe('id,note\r\na,x\r\nb,\r\n');
  expect(received.headers).toMatchObject({
    'x-next-cursor': 'abc',
    'x-total-count': '10000',
    'x-total-is-at-least': 'true',
  });
});

it('Making the CSV of a page takes at most eight times as long as reading and writing its JSON', () => {
  const names = Array.from({ length: 80 }, (_, index) => `field${index}`);
  const item = Object.fromEntries(
    names.map((name, index) => [name, index % 2 === 0 ? index : 'Front counter']),
  );
  const page = new JsonPage(
    Array.from({ length: 100 }, () => JSON.stringify(item)),
    LAST,
  );
  const wide = names.map((name) => ({ name, path: [name] }));
  const best = (make: () => unknown): number => {
    const times = Array.from({ length: 40 }, () => {
      const startedAt = performance.now();
      make();
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  };
  const json = best(() => JSON.stringify(page.items));
  const csv = best(() => [...csvParts(wide, page.items)]);
  expect(csv / json).toBeLessThan(8);
});
