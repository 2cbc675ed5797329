import { Agent, request } from 'node:http';
import type { Service } from '../services/http.services.js';

export interface FloodCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly apiKey: string;
  readonly body?: object;
  /** Called with a 200. */
  readonly onAnswer?: (text: string) => void;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const READY_EVERY_MS = 50;
/** Beyond it the connection is given up, and counts as an answer with status 0. */
const SILENCE_MS = 60_000;

/** Connections that send the next call as soon as the last one is answered. It ignores `Retry-After`. */
export class Flood {
  /** How often each status was answered. */
  readonly statuses = new Map<number, number>();
  private readonly agent = new Agent({ keepAlive: true });
  private running: Promise<unknown> | undefined;
  private isStopped = false;

  constructor(
    private readonly service: Pick<Service, 'host' | 'port'>,
    private readonly connections: number,
    private readonly next: (connection: number) => FloodCall,
  ) {}

  start(): void {
    const lanes = Array.from({ length: this.connections }, (_, connection) => this.repeat(connection));
    this.running = Promise.all(lanes);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
    this.agent.destroy();
  }

  private async repeat(connection: number): Promise<void> {
    while (!this.isStopped) {
      const call = this.next(connection);
      const { status, text } = await send(this.service, call, this.agent);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 200) call.onAnswer?.(text);
    }
  }
}

/** Asks /health/ready until `stop`, which resolves with the answers that were not 200. */
export function watchReadiness(service: Pick<Service, 'host' | 'port'>): {
  stop(): Promise<readonly number[]>;
} {
  const agent = new Agent({ keepAlive: true });
  const others: number[] = [];
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const { status } = await send(service, { method: 'GET', path: '/health/ready', apiKey: '' }, agent);
      if (status !== 200) others.push(status);
      await new Promise((resume) => setTimeout(resume, READY_EVERY_MS));
    }
    agent.destroy();
    return others;
  })();
  return {
    stop: () => {
      isStopped = true;
      return watching;
    },
  };
}

/** @throws unless the answer is 200 */
export async function call<Body>(service: Pick<Service, 'host' | 'port'>, one: FloodCall): Promise<Body> {
  const { status, text } = await send(service, one);
  if (status !== 200) throw new Error(`${one.path} was answered with ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as Body;
}

function send(
  { host, port }: Pick<Service, 'host' | 'port'>,
  { method, path, apiKey, body }: FloodCall,
  agent?: Agent,
): Promise<Answer> {
  const text = body && JSON.stringify(body);
  const headers = {
    'x-api-key': apiKey,
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
  };
  return new Promise((resolve) => {
    const failed = (error: Error): void => resolve({ status: 0, text: error.message });
    const sent = request({ host, port, method, path, headers, agent, timeout: SILENCE_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', failed);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.once('error', failed);
    sent.once('timeout', () => sent.destroy(new Error(`no answer within ${SILENCE_MS} ms`)));
    sent.end(text);
  });
}
