import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { DriverReply, Load, Traffic } from './load.types.js';
import { percentile } from './rounds.statistics.js';

/*
 * A process of its own, so that it does not share the event loop of what it measures. It writes to bare sockets, since
 * it does share the processors: an HTTP client would cost as much as some of the servers.
 */

const HEAD_END = '\r\n\r\n';
const AMOUNT = 1250;
/** No two requests of any run have the same reference or idempotency key. */
const run = randomBytes(6).toString('hex');
let requests = 0;

async function drive(load: Load): Promise<Traffic> {
  const sockets = await Promise.all(load.terminals.map(() => connected(load)));
  const latencies: number[] = [];
  const since = performance.now();
  const until = since + load.ms;
  try {
    await Promise.all(
      sockets.map((socket, index) => client(socket, load, load.terminals[index] ?? '', until, latencies)),
    );
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const rate = (latencies.length * 1000) / (performance.now() - since);
  return { rate, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

function connected({ host, port }: Load): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('error', reject).once('connect', () => resolve(socket.off('error', reject)));
  });
}

/** One request after another until the time is over. Rejects on the first that is not answered as it should be. */
function client(
  socket: Socket,
  load: Load,
  terminal: string,
  until: number,
  latencies: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      if (sentAt >= until) return resolve();
      socket.write(requestText(load, terminal));
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (!isWhole(received)) return;
      if (!received.startsWith('HTTP/1.1 200') || !received.includes('"status":"Completed"')) {
        return reject(new Error(`answered with: ${received.slice(0, 1500)}`));
      }
      received = '';
      latencies.push(performance.now() - sentAt);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    send();
  });
}

function requestText(
  { path, apiKey, withReferenceId, withIdempotencyKey }: Load,
  paymentMethodId: string,
): string {
  const name = `${run}-${(requests += 1)}`;
  const body = JSON.stringify({
    amount: AMOUNT,
    paymentMethodId,
    ...(withReferenceId && { referenceId: `order-${name}` }),
  });
  return (
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\n` +
    (withIdempotencyKey ? `idempotency-key: ${name}\r\n` : '') +
    `content-length: ${body.length}${HEAD_END}${body}`
  );
}

/** One answer at a time is on its way, and both servers give its length. */
function isWhole(received: string): boolean {
  const head = received.indexOf(HEAD_END);
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1];
  if (length === undefined) throw new Error('an answer without content-length');
  return received.length >= head + HEAD_END.length + Number(length);
}

process.on('message', (load: Load) => {
  const reply = (message: DriverReply): void => void process.send?.(message);
  drive(load)
    .then((traffic) => reply({ kind: 'done', traffic }))
    .catch((error: unknown) => reply({ kind: 'failed', reason: String(error) }));
});
