import type * as http from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionPoolOptions } from './connection.pool.js';

/**
 * Gets `unsent` alone, or `written`, then any number of `line`, then `ended`. It gets nothing more after `unsent`, after
 * `ended`, or after the call was cancelled.
 */
export interface HttpCallListener {
  /** No byte of the request has left this process, and none will. */
  unsent(reason: string): void;
  /** From now on the server may have received the request. */
  written(): void;
  /** A line of the response, or its whole body. `value` is undefined if the line is not JSON or is too long. */
  line(status: number, value: unknown): void;
  /** The response or the connection has ended. */
  ended(reason: string): void;
}

/** `Lines`: a JSON value on each line, delivered as it arrives. `Body`: one JSON value, the whole body. */
export type ResponseFormat = 'Lines' | 'Body';

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Time to connect, ms. */
  readonly connectWithinMs: number;
  /** Called right before the write to the socket. */
  mayWrite(): boolean;
  /** Instead of the port of the pool's address. */
  readonly port?: number;
}

export interface CallHandle {
  /** Closes the connection. The listener gets nothing more. */
  cancel(): void;
  /** From now on the call does not keep the process alive. */
  unref(): void;
  /** The response is complete: the connection may end by itself, and is closed if it does not end soon. */
  finish(): void;
}

interface HttpCallParts extends Pick<ConnectionPoolOptions, 'responseFormat' | 'lineBytesMax'> {
  readonly isTls: boolean;
  /** Makes a request of which nothing is written yet. */
  dial(): http.ClientRequest;
  /** The call no longer counts as running. */
  release(): void;
}

/** A kept-alive connection may turn out to be closed; then the call takes another one. */
const DIALS_MAX = 4;

const END_TIMEOUT_MS = 2_000;
const LINE_END = 0x0a;

/** Writes nothing to the socket before `request.end`: a failure before it proves that nothing has left. */
export class HttpCall implements CallHandle {
  private phase: 'Connecting' | 'Written' | 'Over' = 'Connecting';
  private readonly connecting: NodeJS.Timeout;
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  /** Parts of a line whose end has not arrived. */
  private unfinished: Buffer[] = [];
  private unfinishedBytes = 0;
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
    // Also after the end of the call: an error without a listener would end the process.
    request.on('error', (error: NodeJS.ErrnoException) => this.endRequest(request, reasonOf(error)));
    request.once('close', () => {
      this.endRequest(request, 'the connection was closed');
      if (request === this.request) this.parts.release();
    });
  }

  cancel(): void {
    this.phase = 'Over';
    clearTimeout(this.connecting);
    this.request?.destroy();
    this.parts.release();
  }

  /** Closes the connection as a network failure would: the listener gets `unsent` or `ended`. */
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

  /** The server had closed a kept-alive connection. Nothing was written, so the call may take another one. */
  private dialAgain(closed: http.ClientRequest): void {
    if (this.dials >= DIALS_MAX) return this.end('every connection was closed before the request');
    this.start();
    closed.destroy();
  }

  private read(response: http.IncomingMessage): void {
    const status = response.statusCode ?? 0;
    response.on('data', (chunk: Buffer) => {
      if (this.phase !== 'Over') this.readChunk(status, chunk);
    });
    response.once('end', () => {
      if (this.phase !== 'Over') this.readEnd(status);
      this.end('the answer has ended');
    });
    response.on('error', (error: NodeJS.ErrnoException) => this.end(reasonOf(error)));
  }

  /** In the format `Lines` an empty response and an unfinished last line are unreadable. */
  private readEnd(status: number): void {
    if (this.parts.responseFormat === 'Body')
      this.listener.line(status, this.parsed(Buffer.concat(this.unfinished)));
    else if (this.unfinishedBytes > 0 || this.lines === 0) this.listener.line(status, undefined);
  }

  private readChunk(status: number, chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0;) {
      const end = this.parts.responseFormat === 'Lines' ? rest.indexOf(LINE_END) : -1;
      const part = end < 0 ? rest : rest.subarray(0, end);
      this.unfinishedBytes += part.length;
      if (this.unfinishedBytes > this.parts.lineBytesMax) return this.listener.line(status, undefined);
      this.unfinished.push(part);
      if (end < 0) return;
      const line = Buffer.concat(this.unfinished);
      this.unfinished = [];
      this.unfinishedBytes = 0;
      this.lines++;
      this.listener.line(status, this.parsed(line));
      rest = rest.subarray(end + 1);
      if (this.phase === 'Over') return;
    }
  }

  private parsed(line: Buffer): unknown {
    try {
      return JSON.parse(this.decoder.decode(line)) as unknown;
    } catch {
      return undefined;
    }
  }

  private endRequest(request: http.ClientRequest, reason: string): void {
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
