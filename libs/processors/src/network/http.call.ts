import type * as http from 'node:http';
import type { Socket } from 'node:net';

/**
 * What came of one call: `asUnsent` alone, or `writeThrough`, then lines, then `over`. Nothing is told after `asUnsent`, after
 * `over`, or once it was abandoned.
 */
export interface HttpCallListener {
  /** It is certain that not a byte of the request left this process. */
  unsent(reason: string): void;
  /** From here on it may have been received. */
  written(): void;
  /** A line of the answer, or its whole body; `value` is undefined where it is no JSON or too long. */
  line(status: number, value: unknown): void;
  /** The answer has ended, or the connection with it. */
  ended(reason: string): void;
}

/** JSON in an answer: a value on each line, each as soon as it comes, or one value that is the whole body. */
export type ResponseFormat = 'Lines' | 'Body';

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. Left out: there is no body. */
  readonly body?: object;
  /** Until it must be connected, ms. */
  readonly connectWithinMs: number;
  /** Asked right before the write to the socket. */
  mayWrite(): boolean;
  /** Instead of the address's own. */
  readonly port?: number;
}

export interface CallHandle {
  /** Nothing more is wanted of it: its connection is closed. */
  cancel(): void;
  /** It no longer keeps the process awake. */
  unref(): void;
  /** All that was wanted of it has come: it may end by itself, and is ended where it does not soon. */
  finish(): void;
}

export interface HttpCallParts {
  readonly isTls: boolean;
  readonly responseFormat: ResponseFormat;
  readonly lineBytesMax: number;
  /** A request of which nothing is written yet. */
  dial(): http.ClientRequest;
  /** It no longer counts. */
  release(): void;
}

/** So many connections of the pool may turn out to be closed; each one is gone from it then. */
const DIALS_MAX = 4;

const END_TIMEOUT_MS = 2_000;
const LINE_END = 0x0a;

/** Nothing is written to the socket before `request.end`: what fails before it is certain not to have left. */
export class HttpCall implements CallHandle {
  private phase: 'Connecting' | 'Written' | 'Over' = 'Connecting';
  private readonly connecting: NodeJS.Timeout;
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private begun: Buffer[] = [];
  private begunBytes = 0;
  private lines = 0;
  private request: http.ClientRequest | undefined;
  private dials = 0;

  constructor(
    private readonly outgoing: OutgoingRequest,
    private readonly bytes: Buffer,
    private readonly listener: HttpCallListener,
    private readonly parts: HttpCallParts,
  ) {
    const { connectWithinMs } = outgoing;
    this.connecting = setTimeout(
      () => this.end(`no connection within ${Math.round(connectWithinMs)} ms`),
      connectWithinMs,
    );
  }

  start(): void {
    this.dials++;
    const request = this.parts.dial();
    this.request = request;
    request.once('socket', (socket: Socket) => {
      if (request.reusedSocket) this.write(request, socket);
      else socket.once(this.parts.isTls ? 'secureConnect' : 'connect', () => this.write(request, socket));
    });
    request.once('response', (response: http.IncomingMessage) => this.read(response));
    // Also after it is over: an error that nobody listens to would end the process.
    request.on('error', (error: NodeJS.ErrnoException) => this.endOf(request, reasonOf(error)));
    request.once('close', () => {
      this.endOf(request, 'the connection was closed');
      if (request === this.request) this.parts.release();
    });
  }

  cancel(): void {
    this.phase = 'Over';
    clearTimeout(this.connecting);
    this.request?.destroy();
    this.parts.release();
  }

  /** As if the network had: whoever waits is told. */
  disconnect(): void {
    this.dials = DIALS_MAX;
    this.request?.destroy();
  }

  unref(): void {
    this.request?.socket?.unref();
  }

  finish(): void {
    const timer = setTimeout(() => this.cancel(), END_TIMEOUT_MS).unref();
    this.request?.once('close', () => clearTimeout(timer));
  }

  private write(request: http.ClientRequest, socket: Socket): void {
    if (this.phase !== 'Connecting' || request !== this.request) return;
    if (socket.readyState !== 'open') return this.dialAgain(request);
    if (!this.outgoing.mayWrite()) return this.end('sendBefore has passed');
    clearTimeout(this.connecting);
    this.phase = 'Written';
    request.end(this.bytes);
    this.listener.written();
  }

  /** A kept connection that had been closed: nothing was written, so another may be taken. */
  private dialAgain(closed: http.ClientRequest): void {
    if (this.dials >= DIALS_MAX) return this.end('every connection was closed before the request');
    this.start();
    closed.destroy();
  }

  private read(response: http.IncomingMessage): void {
    const status = response.statusCode ?? 0;
    response.on('data', (chunk: Buffer) => {
      if (this.phase !== 'Over') this.take(status, chunk);
    });
    response.once('end', () => {
      if (this.phase !== 'Over') this.rest(status);
      this.end('the answer has ended');
    });
    response.on('error', (error: NodeJS.ErrnoException) => this.end(reasonOf(error)));
  }

  /** All of the answer has come. Where some or all of it was no line, nothing that answers so is what we called. */
  private rest(status: number): void {
    if (this.parts.responseFormat === 'Body')
      this.listener.line(status, this.parsed(Buffer.concat(this.begun)));
    else if (this.begunBytes > 0 || this.lines === 0) this.listener.line(status, undefined);
  }

  private take(status: number, chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0;) {
      const end = this.parts.responseFormat === 'Lines' ? rest.indexOf(LINE_END) : -1;
      const part = end < 0 ? rest : rest.subarray(0, end);
      this.begunBytes += part.length;
      if (this.begunBytes > this.parts.lineBytesMax) return this.listener.line(status, undefined);
      this.begun.push(part);
      if (end < 0) return;
      const line = Buffer.concat(this.begun);
      this.begun = [];
      this.begunBytes = 0;
      this.lines++;
      this.listener.line(status, this.parsed(line));
      rest = rest.subarray(end + 1);
      if (this.hasEnded()) return;
    }
  }

  private parsed(line: Buffer): unknown {
    try {
      return JSON.parse(this.decoder.decode(line)) as unknown;
    } catch {
      return undefined;
    }
  }

  private hasEnded(): boolean {
    return this.phase === 'Over';
  }

  private endOf(request: http.ClientRequest, reason: string): void {
    if (request !== this.request) return;
    if (this.phase === 'Connecting' && request.reusedSocket) this.dialAgain(request);
    else this.end(reason);
  }

  private end(reason: string): void {
    if (this.phase === 'Over') return;
    const { phase } = this;
    this.phase = 'Over';
    clearTimeout(this.connecting);
    if (phase === 'Connecting') {
      this.cancel();
      this.listener.unsent(reason);
    } else this.listener.ended(reason);
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ECONNREFUSED' ? 'the processor refused the connection' : (code ?? message);
}
