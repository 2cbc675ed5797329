import { connect, type Socket } from 'node:net';
import type { Load } from './load.types.js';

const HEAD_END = '\r\n\r\n';
/** A server that is silent for so long counts as broken. */
const SILENCE_MS = 60_000;

interface PendingExchange {
  resolve(response: string): void;
  reject(error: Error): void;
}

/** A socket with just the HTTP that a sale needs: a complete client would cost as much as some of the servers. */
export class LoadConnection {
  private received = '';
  private pending: PendingExchange | undefined;
  private broken: Error | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly load: Load,
  ) {
    socket.setEncoding('latin1').setTimeout(SILENCE_MS);
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('timeout', () => this.fail(new Error(`the server was silent for ${SILENCE_MS} ms`)));
    socket.on('close', () => this.fail(new Error('the server closed a connection')));
  }

  static open(load: Load): Promise<LoadConnection> {
    const { host, port } = load;
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true });
      socket.once('error', reject).once('connect', () => {
        socket.off('error', reject);
        resolve(new LoadConnection(socket, load));
      });
    });
  }

  /** Sends JSON, and resolves with the whole response. One exchange at a time. @param headers lines that end in CRLF */
  post(path: string, body: object, headers = ''): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.broken) return reject(this.broken);
      this.pending = { resolve, reject };
      this.socket.write(requestText(this.load, path, JSON.stringify(body), headers));
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: string): void {
    this.received += chunk;
    const whole = isWhole(this.received);
    if (whole === undefined) return this.fail(new Error('an answer without content-length'));
    if (!whole) return;
    const response = this.received;
    this.received = '';
    this.pending?.resolve(response);
    this.pending = undefined;
  }

  private fail(error: Error): void {
    this.broken ??= error;
    this.pending?.reject(error);
    this.pending = undefined;
  }
}

function requestText({ apiKey }: Load, path: string, body: string, headers: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\n` +
    `${headers}content-length: ${body.length}${HEAD_END}${body}`
  );
}

/** Undefined without a content-length, which both servers send. */
function isWhole(received: string): boolean | undefined {
  const head = received.indexOf(HEAD_END);
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1];
  if (length === undefined) return undefined;
  return received.length >= head + HEAD_END.length + Number(length);
}
