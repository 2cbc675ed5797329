import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { endOfMessage, withBody } from './http.message.js';

/**
 * What happens to one request and its answer. `ResetBefore`: the connection breaks, and the request never arrives.
 * `ResetAfter`: it arrives, and the answer is lost. `CutOff`: half of the answer comes. `Doubled`: it comes twice.
 * `OfAnotherCall`: it names another call. `BadGateway`: somebody in between answers 502 after the request has arrived.
 */
export type LineFault =
  | 'ResetBefore'
  | 'ResetAfter'
  | 'CutOff'
  | 'Garbled'
  | 'TooLong'
  | 'Doubled'
  | 'OfAnotherCall'
  | 'BadGateway'
  | { readonly delayMs: number };

/** A network between a client and its HTTP server, on a port of its own. */
export interface FaultyLine {
  readonly port: number;
  /** Requests that came in so far. */
  readonly requests: number;
  /** The next requests suffer these, one each, in order; then `always` counts again. */
  strike(...faults: LineFault[]): void;
  close(): Promise<void>;
}

/** @param always what every request suffers. */
export async function openFaultyLine(to: number, always?: LineFault): Promise<FaultyLine> {
  const sockets = new Set<Socket>();
  const next: LineFault[] = [];
  let requests = 0;
  const keep = (socket: Socket): Socket => {
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    sockets.add(socket);
    return socket;
  };
  const server = createServer((accepted) => {
    const near = keep(accepted);
    const far = keep(connect(to, '127.0.0.1'));
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    let suffers: LineFault | undefined;
    const pass = messagesFor(async (request) => {
      requests++;
      suffers = next.shift() ?? always;
      if (suffers === 'ResetBefore') return void near.resetAndDestroy();
      if (typeof suffers === 'object') await pause(suffers.delayMs);
      far.write(request);
    });
    near.on('data', pass);
    const spoil = messagesFor(async (answer) => hand(near, answer, suffers));
    let writing = Promise.resolve();
    far.on('data', (chunk: Buffer) => {
      // What only takes its time comes bit by bit, as it was said.
      const delayMs = typeof suffers === 'object' ? suffers.delayMs : 0;
      if (suffers !== undefined && delayMs === 0) return spoil(chunk);
      const due = delayMs > 0 ? pause(delayMs) : Promise.resolve();
      writing = writing.then(async () => {
        await due;
        near.write(chunk);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return requests;
    },
    strike: (...faults) => void next.push(...faults),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hand(near: Socket, answer: Buffer, suffers: LineFault | undefined): void {
  switch (suffers) {
    case 'ResetAfter':
      near.resetAndDestroy();
      return;
    case 'CutOff':
      near.end(answer.subarray(0, Math.floor(answer.length * 0.7)));
      return;
    case 'Garbled':
      near.write(withBody(answer, '{"callId":\n'));
      return;
    case 'TooLong':
      near.write(withBody(answer, `${'x'.repeat(200_000)}\n`));
      return;
    case 'Doubled':
      near.write(Buffer.concat([answer, answer]));
      return;
    case 'OfAnotherCall':
      near.write(answer.toString('latin1').replace(/"callId":"[0-9a-f]{4}/, '"callId":"eeee'), 'latin1');
      return;
    case 'BadGateway':
      near.write('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 16\r\n\r\n<h1>Sorry</h1>\r\n');
      return;
    default:
      near.write(answer);
  }
}

/** Takes chunks, and gives whole messages, one after the other. */
function messagesFor(take: (message: Buffer) => Promise<void>): (chunk: Buffer) => void {
  let begun = Buffer.alloc(0);
  let taking = Promise.resolve();
  return (chunk) => {
    begun = Buffer.concat([begun, chunk]);
    for (let end = endOfMessage(begun); end !== undefined; end = endOfMessage(begun)) {
      const message = Buffer.from(begun.subarray(0, end));
      begun = Buffer.from(begun.subarray(end));
      taking = taking.then(() => take(message)).catch(() => undefined);
    }
  };
}
