import { randomBytes } from 'node:crypto';
import {
  isRefusedLine,
  LINE_BYTES_MAX,
  WIRE_HEADERS,
  type TerminalControlError,
  type WIRE_PATHS,
} from '@tillstream/sandbox';
import { ConnectionPool } from './connection.pool.js';
import type { CallHandle } from './http.call.js';

export type SandboxPath = (typeof WIRE_PATHS)[keyof typeof WIRE_PATHS];

export interface SandboxAddress {
  /** `http://host:port`. Numbers of test cards travel to it: loopback, a private network, or `https` to what ends TLS before it. */
  readonly url: string;
  readonly secret: string;
}

export interface SandboxClientOptions extends SandboxAddress {
  /** Calls at once; beyond it nothing waits. */
  readonly connections: number;
  /** Of the service's clock, ms: told with every call. */
  clockOffset(): number;
  /** One line for an operator. */
  report(reason: string): void;
  /** PEM, trusted beside the system's. */
  readonly ca?: string;
}

/** It is certain that nothing was executed, and nothing will be. */
export interface NotExecutedReason {
  readonly reason: string;
  /** Of the sandbox's own answer; 0: nothing left this process. */
  readonly status: number;
  readonly code?: TerminalControlError['code'];
}

export interface SandboxCall<Line> {
  readonly connectWithinMs: number;
  mayWrite(): boolean;
  readonly isLine: (value: unknown) => value is Line;
  refused(refusal: NotExecutedReason): void;
  written?(): void;
  /** Each belongs to this call. */
  line(line: Line): void;
  /** No further line comes; `unexpectedLineReport`: what came was none of this call. */
  ended(strange: boolean): void;
}

/** Certain that it is not in use: for a refusal that is one of the network. */
const CLOSED_PORT = 1;

/** The connection to a sandbox that is a process of its own: who answers whom, and nobody else's answer. */
export class SandboxClient {
  private readonly connections: ConnectionPool;

  constructor(private readonly options: SandboxClientOptions) {
    const { url, connections: connectionsMax, ca } = options;
    this.connections = new ConnectionPool({
      url,
      connectionsMax,
      responseFormat: 'Lines',
      lineBytesMax: LINE_BYTES_MAX,
      ...(ca !== undefined && { ca }),
    });
  }

  call<Line extends { readonly callId: string }>(
    path: SandboxPath,
    body: object,
    call: SandboxCall<Line>,
  ): CallHandle {
    const callId = randomBytes(16).toString('hex');
    const { secret, report } = this.options;
    const underway = this.connections.call(
      {
        method: 'POST',
        path,
        headers: {
          authorization: `Bearer ${secret}`,
          [WIRE_HEADERS.callId]: callId,
          [WIRE_HEADERS.clockOffset]: String(this.options.clockOffset()),
        },
        body,
        connectWithinMs: call.connectWithinMs,
        mayWrite: () => call.mayWrite(),
      },
      {
        unsent: (reason) => call.refused({ reason, status: 0 }),
        written: () => call.written?.(),
        line: (status, value) => {
          if (status >= 400 && isRefusedLine(value) && value.callId === callId) {
            const { refused: reason, code } = value;
            call.refused({ reason, status, ...(code && { code }) });
          } else if (status === 200 && call.isLine(value) && value.callId === callId) {
            call.line(value);
          } else {
            report(unexpectedLineReport(status, value));
            // Whatever else comes on this connection is not to be believed either.
            underway.cancel();
            call.ended(true);
          }
        },
        ended: () => call.ended(false),
      },
    );
    return underway;
  }

  /** Tries a port that nobody listens on: the network's own refusal, and nothing is sent even if somebody does. */
  tryClosedPort(): Promise<string> {
    return new Promise((resolve) =>
      this.connections.call(
        {
          method: 'POST',
          path: '/',
          headers: {},
          body: {},
          connectWithinMs: 1_000,
          mayWrite: () => false,
          port: CLOSED_PORT,
        },
        { unsent: resolve, written: () => undefined, line: () => undefined, ended: resolve },
      ),
    );
  }

  close(): void {
    this.connections.close();
  }
}

function unexpectedLineReport(status: number, value: unknown): string {
  const kind =
    typeof value === 'object' && value !== null && 'callId' in value ? 'of another call' : 'unreadable';
  return `the sandbox's answer with status ${status} was ${kind}, and not taken`;
}
