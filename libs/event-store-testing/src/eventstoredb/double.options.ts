import type { ServerFault, FaultTarget } from './node/server.faults.js';

/** The calls of a double, as the faults and `calls` name them. */
export type CallKind =
  'append' | 'batchAppend' | 'read' | 'subscribe' | 'delete' | 'tombstone' | 'features' | 'gossip';

export interface ObservedCall {
  readonly call: CallKind;
  /** `$all` for reads of and subscriptions to the whole store; absent for gossip and features. */
  readonly stream?: string;
  /** Ids of an append, in lower case. */
  readonly eventIds?: readonly string[];
  /** Set for an append, a delete or a tombstone; a number is an exact revision. */
  readonly expected?: ExpectedVersion;
  readonly requiresLeader: boolean;
  /** The time at which the whole call was received, ms since 1970. */
  readonly at: number;
}

export type ExpectedVersion = 'any' | 'none' | 'exists' | number;

export interface DoubleOptions {
  /** Left out or 0: a free port. It stays the same over `stop` and `start`. */
  readonly port?: number;
  /** Servers before 23.10 never send `caughtUp`. Left out: true. */
  readonly sendsCaughtUp?: boolean;
  /** Servers before 21.10 have only the unary append. Left out: true. */
  readonly supportsBatchAppend?: boolean;
  /** The server drops a live subscriber that lags by more events, as 23.10 does. Left out: 500; Infinity: never. */
  readonly slowConsumerEvents?: number;
  /** A system event follows each time after this many events of clients. Left out: 50; Infinity: only those of the start. */
  readonly eventsPerSystemEvent?: number;
  /** Number of event ids that an append under 'any' is compared with; older ones are appended again. Left out: 100,000. */
  readonly rememberedIds?: number;
  /** PEM. Left out: no TLS and no users. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** Names and passwords of the users; each may read and write everything. Only with `tls`. Left out: any caller may. */
  readonly users?: Readonly<Record<string, string>>;
}

export interface StartOptions {
  /** How long the server answers "Server Is Not Ready". Left out: 0. */
  readonly notReadyMs?: number;
}

/** A server in this process that answers as EventStoreDB 23.10 does, keeps all data in memory, and fails on command. */
export interface EventStoreDbDouble {
  /** `esdb://127.0.0.1:<port>?tls=false`, or `tls=true`. */
  readonly url: string;
  readonly port: number;
  /** The next matching calls have this fault. Several faults apply one after another, in the order of injection. */
  inject(fault: ServerFault, where?: FaultTarget): void;
  /** Removes the faults. Silent calls stay silent until their connection is dropped; late commits still happen. */
  clearFaults(): void;
  /** The last 10,000 calls, in order. */
  readonly calls: readonly ObservedCall[];
  /** Events in $all, including system events. */
  readonly eventCount: number;
  /** Resets every open connection. */
  dropConnections(): void;
  /** As SIGKILL: resets connections, closes the port and loses calls in flight; keeps the log. */
  stop(): Promise<void>;
  /** Starts again on the same port, with the same log. */
  start(options?: StartOptions): Promise<void>;
  /** As SIGSTOP: old and new connections stay open, and the server reads and answers nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}
