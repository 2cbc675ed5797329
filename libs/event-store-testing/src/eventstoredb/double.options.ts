import type { ServerFault, FaultTarget } from './node/server.faults.js';

/** What a double can be asked for, as the faults and `calls` name it. */
export type CallKind =
  'append' | 'batchAppend' | 'read' | 'subscribe' | 'delete' | 'tombstone' | 'features' | 'gossip';

export interface ObservedCall {
  readonly call: CallKind;
  /** `$all` for reads of and subscriptions to all; absent for gossip and features. */
  readonly stream?: string;
  /** Of an append, in lower case. */
  readonly eventIds?: readonly string[];
  /** Of an append, a delete or a tombstone; a number is an exact revision. */
  readonly expected?: ExpectedVersion;
  readonly requiresLeader: boolean;
  /** Milliseconds since 1970, when it was received whole. */
  readonly at: number;
}

export type ExpectedVersion = 'any' | 'none' | 'exists' | number;

export interface DoubleOptions {
  /** Left out or 0: one that is free. It stays the same over `stop` and `start`. */
  readonly port?: number;
  /** Servers before 23.10 never say `caughtUp`. Left out: true. */
  readonly sendsCaughtUp?: boolean;
  /** Servers before 21.10 know the unary append only. Left out: true. */
  readonly supportsBatchAppend?: boolean;
  /** A live subscriber further behind than so many events is dropped, as 23.10 does. Left out: 500; Infinity: never. */
  readonly slowConsumerEvents?: number;
  /** A system event comes after each so many events of clients. Left out: 50; Infinity: only those of the start. */
  readonly eventsPerSystemEvent?: number;
  /** Event ids that an append under 'any' is compared with; older ones are appended again. Left out: 100,000. */
  readonly rememberedIds?: number;
  /** PEM. Left out: no TLS, and no user is asked for. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** Name and password of those who may read and write everything. Only with `tls`. Left out: everybody may. */
  readonly users?: Readonly<Record<string, string>>;
}

export interface StartOptions {
  /** Answers "Server Is Not Ready" for so long. Left out: 0. */
  readonly notReadyMs?: number;
}

/** A server in this process that answers as EventStoreDB 23.10 does, keeps everything in memory, and fails on command. */
export interface EventStoreDbDouble {
  /** `esdb://127.0.0.1:<port>?tls=false`, or `tls=true`. */
  readonly url: string;
  readonly port: number;
  /** The next calls that fit have this fault; several come one after another, in the order of injection. */
  inject(fault: ServerFault, where?: FaultTarget): void;
  /** No more faults. What is silent stays so until its connection is dropped; what was to be committed late still is. */
  clearFaults(): void;
  /** What was asked, in order; the last 10,000. */
  readonly calls: readonly ObservedCall[];
  /** Events in $all, those of the system included. */
  readonly eventCount: number;
  /** Resets every open connection. */
  dropConnections(): void;
  /** As SIGKILL: connections reset, port closed, what was in hand is gone; the log is kept. */
  stop(): Promise<void>;
  /** Again on the same port, with the same log. */
  start(options?: StartOptions): Promise<void>;
  /** As SIGSTOP: connections stay open, new ones too, and nothing is read or answered until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}
