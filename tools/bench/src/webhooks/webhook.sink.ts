import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lowerProcessPriority } from '@tillstream/runtime';

/*
 * A receiver of webhooks in a process of its own: answers 204 at once. It sends its port, and then, as often as it is
 * asked, when each event came: `event.id` with Unix ms. `webhooks.bench.ts` starts it.
 */

// Receivers have machines of their own: this one takes as little as it can from what is measured.
lowerProcessPriority('Seventieth');
let arrivals: Record<string, number> = {};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  const at = Date.now();
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(204).end();
    if (request.url !== '/timed') return;
    const { originalResponse } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      readonly originalResponse: { readonly id: string };
    };
    arrivals[originalResponse.id] ??= at;
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => {
  process.send?.({ arrivals });
  arrivals = {};
});
process.on('disconnect', () => process.exit(0));
