import { Agent, errors, type Dispatcher } from 'undici';
import { AddressRefused, guardedConnector } from './guarded.connector.js';
import { systemResolver, type NameResolver } from './name.resolver.js';
import {
  ANSWER_BYTES_MAX,
  TIME_LIMIT_MS,
  type DeliveryAnswer,
  type DeliveryRequest,
} from './posted.delivery.js';
import type { AllowedAddresses } from './special.address.js';

export interface DeliveryClientOptions {
  readonly allowed: AllowedAddresses;
  /** Left out: the name servers of this machine. */
  readonly resolve?: NameResolver;
  /** Left out: `TIME_LIMIT_MS`. */
  readonly timeLimitMs?: number;
  /** Certificates (PEM) that are trusted besides those of Node. */
  readonly ca?: readonly string[];
}

/** The rest of an answer up to this size is read and discarded, so that its connection is kept. */
const DRAINED_BYTES_MAX = 65_536;
const IDLE_TIMEOUT_MS = 10_000;
/** An endpoint may ask for a longer time by `Keep-Alive`. */
const IDLE_TIMEOUT_MAX_MS = 30_000;
const RESPONSE_HEADERS_BYTES_MAX = 16_384;
/** With this number of open connections each further one is closed after its answer. */
const KEPT_SOCKETS_MAX = 1_024;

/**
 * Posts to endpoints that merchants name, over kept connections. It follows no redirect, and never connects to a special
 * address. The number of connections is that of the requests in flight, which the sender bounds, and of the idle ones.
 */
export class DeliveryClient {
  readonly #agent: Agent;
  readonly #timeLimitMs: number;
  #sockets = 0;

  constructor(options: DeliveryClientOptions) {
    const { allowed, resolve = systemResolver(), timeLimitMs = TIME_LIMIT_MS, ca } = options;
    this.#timeLimitMs = timeLimitMs;
    this.#agent = new Agent({
      connect: guardedConnector({ allowed, resolve, timeoutMs: timeLimitMs, ...(ca && { ca }) }),
      pipelining: 1,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: IDLE_TIMEOUT_MAX_MS,
      maxHeaderSize: RESPONSE_HEADERS_BYTES_MAX,
      // The one time limit of a request covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#agent.on('connect', () => (this.#sockets += 1));
    this.#agent.on('disconnect', () => (this.#sockets -= 1));
  }

  /** Open connections. */
  get sockets(): number {
    return this.#sockets;
  }

  /** Never rejects: every failure is an answer with `error`. */
  async post(request: DeliveryRequest): Promise<DeliveryAnswer> {
    const startedAt = performance.now();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#timeLimitMs);
    const attempt = new Attempt(this.#agent, request, limit.signal, this.#sockets >= KEPT_SOCKETS_MAX);
    try {
      await attempt.run();
    } catch (error) {
      attempt.error = limit.signal.aborted
        ? `no whole answer within ${this.#timeLimitMs / 1_000} s`
        : failureText(error);
    } finally {
      clearTimeout(timer);
    }
    return attempt.result(Math.round(performance.now() - startedAt));
  }

  /** Ends all requests in flight, and closes all connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

class Attempt {
  error: string | undefined;
  #status: number | undefined;
  #retryAfter: string | undefined;
  #answer: Uint8Array = new Uint8Array();

  constructor(
    private readonly agent: Agent,
    private readonly request: DeliveryRequest,
    private readonly signal: AbortSignal,
    private readonly closesConnection: boolean,
  ) {}

  async run(): Promise<void> {
    const response = await this.#send();
    this.#status = response.statusCode;
    const retryAfter = response.headers['retry-after'];
    if (typeof retryAfter === 'string') this.#retryAfter = retryAfter;
    await this.#read(response.body);
  }

  result(durationMs: number): DeliveryAnswer {
    return {
      status: this.#status,
      answer: this.#answer,
      durationMs,
      ...(this.#retryAfter !== undefined && { retryAfter: this.#retryAfter }),
      ...(this.error !== undefined && { error: this.error }),
    };
  }

  /** Repeats a request once that met a kept connection which the endpoint was just closing. */
  async #send(): Promise<Dispatcher.ResponseData> {
    try {
      return await this.#sendOnce();
    } catch (error) {
      if (this.signal.aborted || !wasKeptConnection(error)) throw error;
      return this.#sendOnce();
    }
  }

  #sendOnce(): Promise<Dispatcher.ResponseData> {
    const { url, headers, body } = this.request;
    return this.agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers,
      body,
      signal: this.signal,
      reset: this.closesConnection,
    });
  }

  /** Keeps the first bytes. An answer without an end loses its connection. */
  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks: Uint8Array[] = [];
    let kept = 0;
    let bytes = 0;
    try {
      for await (const chunk of body) {
        if (kept < ANSWER_BYTES_MAX) {
          const part = chunk.subarray(0, ANSWER_BYTES_MAX - kept);
          chunks.push(part);
          kept += part.byteLength;
        }
        bytes += chunk.byteLength;
        // Leaving the loop destroys the body, and with it the connection.
        if (bytes > DRAINED_BYTES_MAX) break;
      }
    } finally {
      this.#answer = Buffer.concat(chunks);
    }
  }
}

/** Whether the connection had carried an answer before, and broke before this one began. */
function wasKeptConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'the name has no address',
  ENODATA: 'the name has no address',
  EHOSTUNREACH: 'the address can not be reached',
  ENETUNREACH: 'the address can not be reached',
  ETIMEOUT: 'the name server did not answer',
  ESERVFAIL: 'the name server failed',
  ETIMEDOUT: 'the connection took too long',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_SOCKET: 'the connection was closed before the answer',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
};

function failureText(error: unknown): string {
  if (error instanceof AddressRefused) return 'the address is not a public one';
  const { code, errors: several, message } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  const known = code === undefined ? undefined : FAILURES[code];
  if (known !== undefined) return known;
  // Of several addresses the failure of the first one is reported.
  const [first] = several ?? [];
  if (first !== undefined) return failureText(first);
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  if (code?.includes('CERT') || code?.includes('TLS') || code?.includes('SSL'))
    return `the certificate or TLS failed (${code})`;
  return code === undefined ? message : `the request failed (${code})`;
}
