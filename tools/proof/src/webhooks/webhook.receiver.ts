import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What a receiver keeps of one delivery. */
export interface ReceivedWebhook {
  readonly hookId: string;
  readonly hookSequence: number;
  readonly eventId: string;
  readonly merchantSequence: number;
  readonly operationId: string;
  /** SHA-256 of the bytes. */
  readonly bodyHash: string;
  /** How often it came. */
  times: number;
}

interface Body {
  readonly event: { readonly id: string; readonly sequence: number };
  readonly originalResponse: { readonly id: string };
}

export type Behaviour = 'Answers' | 'Fails sometimes' | 'Never answers';

/** Every nth request of a receiver that fails sometimes. */
const FAILS_EVERY = 7;

/** A merchant's server. Each delivery that came is kept, also if it was answered with an error. */
export class WebhookReceiver {
  /** By `hook-sequence`. */
  readonly received = new Map<number, ReceivedWebhook>();
  readonly complaints: string[] = [];
  /** Requests in all. */
  requests = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    readonly name: string,
    public behaviour: Behaviour,
  ) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.requests += 1;
        this.#keep(request.headers, Buffer.concat(chunks));
        if (this.behaviour === 'Never answers') return;
        const fails = this.behaviour === 'Fails sometimes' && this.requests % FAILS_EVERY === 0;
        response.writeHead(fails ? 500 : 204).end();
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    });
  }

  static async open(name: string, behaviour: Behaviour): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(name, behaviour);
    await once(receiver.#server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #keep(headers: NodeJS.Dict<string | string[]>, bytes: Buffer): void {
    const { event, originalResponse } = JSON.parse(bytes.toString('utf8')) as Body;
    const webhook = {
      hookId: String(headers['hook-id'] ?? 'none'),
      hookSequence: Number(headers['hook-sequence']),
      eventId: event.id,
      merchantSequence: event.sequence,
      operationId: originalResponse.id,
      bodyHash: createHash('sha256').update(bytes).digest('hex'),
    };
    const known = this.received.get(webhook.hookSequence);
    if (!known) {
      this.received.set(webhook.hookSequence, { ...webhook, times: 1 });
      return;
    }
    known.times += 1;
    for (const [field, value] of Object.entries(webhook))
      if (known[field as keyof typeof webhook] !== value)
        this.complaints.push(`${this.name}: ${webhook.hookSequence} came again with another ${field}`);
  }
}
