import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

export type Answer = (received: Received, response: ServerResponse) => void;

export const ok: Answer = (_received, response) => void response.writeHead(204).end();
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_received, response) =>
    void response.writeHead(code, headers).end(`status ${code}`);
/** Never answers. */
export const silent: Answer = () => undefined;

/** An endpoint of a merchant: a real HTTP server on loopback. */
export class HttpSink {
  readonly received: Received[] = [];
  /** Requests that wait for their answer, and the most at once. */
  open = 0;
  openMax = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(public answer: Answer) {
    this.#server = createServer((request, response) => {
      this.open += 1;
      this.openMax = Math.max(this.openMax, this.open);
      response.once('close', () => (this.open -= 1));
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = { headers: request.headers, body: Buffer.concat(chunks), at: performance.now() };
        this.received.push(received);
        this.answer(received, response);
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async open(answer: Answer = ok): Promise<HttpSink> {
    const sink = new HttpSink(answer);
    await once(sink.#server.listen(0, '127.0.0.1'), 'listening');
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  /** `hook-sequence` of the received deliveries, in the order of their arrival. */
  get sequences(): number[] {
    return this.received.map(({ headers }) => Number(headers['hook-sequence']));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
