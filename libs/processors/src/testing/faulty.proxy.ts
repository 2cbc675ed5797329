import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { truncateBody, endOfMessage, withBody } from './http.message.js';

/**
 * What happens to one request and its answer. `ResetBefore`: the connection breaks, and the request never arrives.
 * `ResetAfter`: it arrives, and the answer is lost. `CutOff`: half of its body comes. `Doubled`: it comes twice.
 * `BadGateway`: somebody in between answers 502 after the request has arrived. `anotherIn`: in this field of its JSON, a
 * text, the answer names another call. `delayMs`: of the request, and of its answer again.
 */
export type ProxyFault =
  | 'ResetBefore'
  | 'ResetAfter'
  | 'CutOff'
  | 'Garbled'
  | 'TooLong'
  | 'Doubled'
  | 'BadGateway'
  | { readonly anotherIn: string }
  | { readonly delayMs: number };

/** A network between a client and its HTTP server, on a port of its own. */
export interface FaultyProxy {
  readonly port: number;
  /** Requests that came in so far. */
  readonly requests: number;
  /** The next requests suffer these, one each, in order; then `always` counts again. */
  inject(...faults: ProxyFault[]): void;
  /** Rejects where an answer had no such field to name another call in: that fault struck nothing. */
  close(): Promise<void>;
}

/** @param always What every request suffers. */
export async function openFaultyProxy(to: number, always?: ProxyFault): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const next: ProxyFault[] = [];
  let requests = 0;
  let defect: Error | undefined;
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
    let suffers: ProxyFault | undefined;
    const asked = messagesFor(async (request) => {
      requests++;
      suffers = next.shift() ?? always;
      if (suffers === 'ResetBefore') return void near.resetAndDestroy();
      if (delayOf(suffers) > 0) await pause(delayOf(suffers));
      far.write(request);
    });
    near.on('data', asked.take);
    const spoiled = messagesFor(async (answer) => {
      try {
        hand(near, answer, suffers);
      } catch (error) {
        defect = error as Error;
      }
    });
    let writing = Promise.resolve();
    far.on('data', (chunk: Buffer) => {
      const delayMs = delayOf(suffers);
      if (suffers !== undefined && delayMs === 0) return spoiled.take(chunk);
      // What only takes its time comes bit by bit, as it was said.
      const due = delayMs > 0 ? pause(delayMs) : Promise.resolve();
      writing = writing.then(async () => {
        await due;
        near.write(chunk);
      });
    });
    // A server that closes after its answer has still said all of it.
    far.once('close', () => void Promise.all([spoiled.taken(), writing]).then(() => near.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return requests;
    },
    inject: (...faults) => void next.push(...faults),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (defect) throw defect;
    },
  };
}

function delayOf(fault: ProxyFault | undefined): number {
  return typeof fault === 'object' && 'delayMs' in fault ? fault.delayMs : 0;
}

function hand(near: Socket, answer: Buffer, suffers: ProxyFault | undefined): void {
  if (typeof suffers === 'object' && 'anotherIn' in suffers) {
    near.write(withAnother(answer, suffers.anotherIn));
    return;
  }
  switch (suffers) {
    case 'ResetAfter':
      near.resetAndDestroy();
      return;
    case 'CutOff':
      near.end(truncateBody(answer));
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
    case 'BadGateway':
      near.write('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 16\r\n\r\n<h1>Sorry</h1>\r\n');
      return;
    default:
      near.write(answer);
  }
}

/** The same answer, as long, of which a field that has a text has another one. */
function withAnother(answer: Buffer, field: string): Buffer {
  const named = new RegExp(`("${field}"\\s*:\\s*")([^"]+)`, 'g');
  const text = answer.toString('latin1');
  if (!named.test(text)) throw new Error(`an answer of the server has no field "${field}" with a text`);
  const others = text.replace(named, (_, before: string, value: string) => {
    const other = value.startsWith('e') ? 'f' : 'e';
    return before + other + value.slice(1);
  });
  return Buffer.from(others, 'latin1');
}

interface Messages {
  readonly take: (chunk: Buffer) => void;
  /** Resolves once all that came has been handed on. */
  taken(): Promise<void>;
}

/** Takes chunks, and hands on whole messages, one after the other. */
function messagesFor(hand: (message: Buffer) => Promise<void>): Messages {
  let begun = Buffer.alloc(0);
  let taking = Promise.resolve();
  return {
    take: (chunk) => {
      begun = Buffer.concat([begun, chunk]);
      for (let end = endOfMessage(begun); end !== undefined; end = endOfMessage(begun)) {
        const message = Buffer.from(begun.subarray(0, end));
        begun = Buffer.from(begun.subarray(end));
        taking = taking.then(() => hand(message));
      }
    },
    taken: () => taking,
  };
}
