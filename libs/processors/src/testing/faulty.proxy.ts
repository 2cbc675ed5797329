import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { truncateBody, endOfMessage, withBody } from './http.message.js';

/**
 * A fault of one request and its response. `ResetBefore`: the connection breaks, and the request never arrives.
 * `ResetAfter`: the request arrives, and the response is lost. `CutOff`: half of the response's body comes. `Doubled`: the
 * response comes twice. `BadGateway`: a gateway answers 502 after the request has arrived. `anotherIn`: this string field
 * of the response names another call. `delayMs`: delays the request, and then its response.
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

/** A TCP proxy between a client and its HTTP server. */
export interface FaultyProxy {
  readonly port: number;
  /** The number of received requests. */
  readonly requests: number;
  /** The next requests get these faults, one each, in order; later ones get `always` again. */
  inject(...faults: ProxyFault[]): void;
  /** Rejects if a response had no field of `anotherIn`: then that fault had no effect. */
  close(): Promise<void>;
}

/** @param always the fault of every request that has no injected one */
export async function openFaultyProxy(to: number, always?: ProxyFault): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const injected: ProxyFault[] = [];
  let requests = 0;
  let defect: Error | undefined;
  const track = (socket: Socket): Socket => {
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    sockets.add(socket);
    return socket;
  };
  const server = createServer((accepted) => {
    const client = track(accepted);
    const upstream = track(connect(to, '127.0.0.1'));
    client.once('close', () => upstream.destroy());
    let fault: ProxyFault | undefined;
    const incoming = messagesFor(async (request) => {
      requests++;
      fault = injected.shift() ?? always;
      if (fault === 'ResetBefore') return void client.resetAndDestroy();
      if (delayOf(fault) > 0) await pause(delayOf(fault));
      upstream.write(request);
    });
    client.on('data', incoming.take);
    const responses = messagesFor(async (answer) => {
      try {
        deliver(client, answer, fault);
      } catch (error) {
        defect = error as Error;
      }
    });
    let writing = Promise.resolve();
    upstream.on('data', (chunk: Buffer) => {
      const delayMs = delayOf(fault);
      if (fault !== undefined && delayMs === 0) return responses.take(chunk);
      // A delayed response keeps its chunks.
      const due = delayMs > 0 ? pause(delayMs) : Promise.resolve();
      writing = writing.then(async () => {
        await due;
        client.write(chunk);
      });
    });
    // The client gets the whole response before the end of the connection.
    upstream.once(
      'close',
      () => void Promise.all([responses.allHandled(), writing]).then(() => client.end()),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return requests;
    },
    inject: (...faults) => void injected.push(...faults),
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

function deliver(client: Socket, answer: Buffer, fault: ProxyFault | undefined): void {
  if (typeof fault === 'object' && 'anotherIn' in fault) {
    client.write(withChangedField(answer, fault.anotherIn));
    return;
  }
  switch (fault) {
    case 'ResetAfter':
      client.resetAndDestroy();
      return;
    case 'CutOff':
      client.end(truncateBody(answer));
      return;
    case 'Garbled':
      client.write(withBody(answer, '{"callId":\n'));
      return;
    case 'TooLong':
      client.write(withBody(answer, `${'x'.repeat(200_000)}\n`));
      return;
    case 'Doubled':
      client.write(Buffer.concat([answer, answer]));
      return;
    case 'BadGateway':
      client.write('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 16\r\n\r\n<h1>Sorry</h1>\r\n');
      return;
    default:
      client.write(answer);
  }
}

/** Changes the first character of a string field of the response. */
function withChangedField(answer: Buffer, field: string): Buffer {
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
  /** Resolves when all received messages have been handled. */
  allHandled(): Promise<void>;
}

/** Joins chunks to whole messages, and handles them one after the other. */
function messagesFor(handle: (message: Buffer) => Promise<void>): Messages {
  let unread = Buffer.alloc(0);
  let handling = Promise.resolve();
  return {
    take: (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (let end = endOfMessage(unread); end !== undefined; end = endOfMessage(unread)) {
        const message = Buffer.from(unread.subarray(0, end));
        unread = Buffer.from(unread.subarray(end));
        handling = handling.then(() => handle(message));
      }
    },
    allHandled: () => handling,
  };
}
