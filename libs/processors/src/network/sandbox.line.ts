import { randomBytes } from 'node:crypto';
import {
  isRefusedLine,
  LONGEST_LINE_BYTES,
  WIRE_HEADERS,
  type SandboxRefusal,
  type WIRE_PATHS,
} from '@tillstream/sandbox';
import { Connections } from './connections.js';
import type { Underway } from './one.call.js';

export type SandboxPath = (typeof WIRE_PATHS)[keyof typeof WIRE_PATHS];

export interface SandboxAddress {
  /** `http://host:port`. Numbers of test cards travel to it: loopback, a private network, or `https` to what ends TLS before it. */
  readonly url: string;
  readonly secret: string;
}

export interface SandboxLineOptions extends SandboxAddress {
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
export interface Refusal {
  readonly reason: string;
  /** Of the sandbox's own answer; 0: nothing left this process. */
  readonly status: number;
  readonly code?: SandboxRefusal['code'];
}

export interface SandboxCall<Line> {
  readonly connectWithinMs: number;
  mayWrite(): boolean;
  readonly reads: (value: unknown) => value is Line;
  refused(refusal: Refusal): void;
  written?(): void;
  /** Each belongs to this call. */
  line(line: Line): void;
  /** No further line comes; `strange`: what came was none of this call. */
  over(strange: boolean): void;
}

/** Certain that it is not in use: for a refusal that is one of the network. */
const CLOSED_PORT = 1;

/** The connection to a sandbox that is a process of its own: who answers whom, and nobody else's answer. */
export class SandboxLine {
  private readonly connections: Connections;

  constructor(private readonly options: SandboxLineOptions) {
    const { url, connections: most, ca } = options;
    this.connections = new Connections({
      url,
      most,
      answers: 'Lines',
      longestLine: LONGEST_LINE_BYTES,
      ...(ca !== undefined && { ca }),
    });
  }

  call<Line extends { readonly callId: string }>(
    path: SandboxPath,
    body: object,
    call: SandboxCall<Line>,
  ): Underway {
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
          } else if (status === 200 && call.reads(value) && value.callId === callId) {
            call.line(value);
          } else {
            report(strange(status, value));
            // Whatever else comes on this connection is not to be believed either.
            underway.abandon();
            call.over(true);
          }
        },
        over: () => call.over(false),
      },
    );
    return underway;
  }

  /** Tries a port that nobody listens on: the network's own refusal, and nothing is sent even if somebody does. */
  closedDoor(): Promise<string> {
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
        { unsent: resolve, written: () => undefined, line: () => undefined, over: resolve },
      ),
    );
  }

  close(): void {
    this.connections.close();
  }
}

function strange(status: number, value: unknown): string {
  const kind =
    typeof value === 'object' && value !== null && 'callId' in value ? 'of another call' : 'unreadable';
  return `the sandbox's answer with status ${status} was ${kind}, and not taken`;
}
