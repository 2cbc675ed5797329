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

export interface SandboxClientOptions {
  /** `http://host:port` on this machine or a private network; else `https`, because requests carry test card numbers. */
  readonly url: string;
  readonly secret: string;
  /** Calls at once. A further call is refused. */
  readonly connections: number;
  /** Of the service's clock, ms. Every call carries it. */
  clockOffset(): number;
  /** Logs one line for an operator. */
  report(reason: string): void;
  /** A certificate authority besides the system's, PEM. */
  readonly ca?: string;
}

/** Why a call was not executed and never will be. */
export interface NotExecutedReason {
  readonly reason: string;
  /** HTTP status of the sandbox's refusal; 0: nothing left this process. */
  readonly status: number;
  readonly code?: TerminalControlError['code'];
}

export interface SandboxQuery<Line> {
  readonly path: SandboxPath;
  readonly body: object;
  readonly deadlineMs: number;
  readonly isLine: (value: unknown) => value is Line;
}

export type QueryResult<Line> =
  | { readonly kind: 'Answered'; readonly line: Line }
  | { readonly kind: 'Refused'; readonly refusal: NotExecutedReason }
  /** `unreadable`: the response is not one of a sandbox to this call. */
  | { readonly kind: 'Unanswered'; readonly unreadable: boolean };

interface SandboxCall<Line> {
  readonly connectWithinMs: number;
  mayWrite(): boolean;
  readonly isLine: (value: unknown) => value is Line;
  refused(refusal: NotExecutedReason): void;
  written?(): void;
  /** The line names this call. */
  line(line: Line): void;
  /** No further line comes. `unreadable`: the last one was unreadable or named another call. */
  ended(unreadable: boolean): void;
}

/** No server listens on it. */
const CLOSED_PORT = 1;

/** Calls a sandbox that is a process of its own. A response counts only if it names the id of its call. */
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
    const handle = this.connections.call(
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
            // Further lines of this connection can't be trusted either.
            handle.cancel();
            call.ended(true);
          }
        },
        ended: () => call.ended(false),
      },
    );
    return handle;
  }

  /** Sends one query, and resolves with the first line or at the deadline. */
  query<Line extends { readonly callId: string }>({
    path,
    body,
    deadlineMs,
    isLine,
  }: SandboxQuery<Line>): Promise<QueryResult<Line>> {
    return new Promise((resolve) => {
      let isOver = false;
      const settle = (result: QueryResult<Line>): void => {
        isOver = true;
        clearTimeout(deadline);
        resolve(result);
      };
      const deadline = setTimeout(() => {
        handle.cancel();
        settle({ kind: 'Unanswered', unreadable: false });
      }, deadlineMs);
      const handle = this.call(path, body, {
        connectWithinMs: deadlineMs,
        mayWrite: () => !isOver,
        isLine,
        refused: (refusal) => settle({ kind: 'Refused', refusal }),
        line: (line) => {
          handle.finish();
          settle({ kind: 'Answered', line });
        },
        ended: (unreadable) => settle({ kind: 'Unanswered', unreadable }),
      });
    });
  }

  /** Resolves with the network's reason for refusing a connection. Sends nothing, even if the port accepts one. */
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
