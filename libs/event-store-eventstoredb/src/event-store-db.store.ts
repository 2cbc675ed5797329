import {
  EventStoreError,
  toHeadersPage,
  type AllPage,
  type Append,
  type AppendResult,
  type EventStore,
  type HeadersPage,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoreHealth,
  type StreamPage,
  type SubscribeToAllOptions,
  type Subscriber,
  type Subscription,
} from '@tillstream/event-store';
import { errorMessage } from '@tillstream/runtime';
import { setImmediate } from 'node:timers/promises';
import { readAllPage } from './read/all-page.read.js';
import { AllSubscription } from './subscription/all.subscription.js';
import { AppendWatch } from './append/append.watch.js';
import { append } from './append/append.call.js';
import { readServerSettings, type OperatorReport, type StoreSettings } from './connection/server.settings.js';
import { PROBE_STREAM } from './connection/driver.client.js';
import { CallFailed, toEventStoreError } from './connection/error.mapping.js';
import { LeaderConnection, type CallPurpose } from './connection/leader.connection.js';
import { readHead } from './read/driver.read.js';
import { readStreamPage } from './read/stream-page.read.js';
import { compareLogPositions, parsePosition, formatPosition } from './read/log.event.js';

const DEADLINE_MS = 5000;
const PROBE_MS_MAX = 2000;
/** For this long a failed append counts more than a successful read. */
const RECENT_FAILURE_MS_MAX = 1000;

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`, including TLS options and credentials. */
  readonly url: string;
  /** Longest time one call may take, ms. Left out: the address's `defaultDeadline`, or 5000. */
  readonly deadlineMs?: number;
  /** Receives each reconnect, renewed subscription and abandoned call. */
  readonly report?: OperatorReport;
}

/**
 * An EventStoreDB server or cluster as the event store. Appends and single reads use one connection to the leader. Each
 * subscription has its own. No call takes longer than the deadline. `openEventStoreDb` opens it.
 */
export class EventStoreDbStore implements EventStore {
  readonly #connection: LeaderConnection;
  readonly #subscriptions = new Set<AllSubscription>();
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #watch = new AppendWatch(() => this.head());
  #failedAppend: { readonly at: number; readonly reason: string } | undefined;
  #closing: Promise<void> | undefined;

  constructor(private readonly settings: StoreSettings) {
    this.#connection = new LeaderConnection(settings);
  }

  async append(wanted: Append): Promise<AppendResult> {
    try {
      const { deadlineMs } = this.settings;
      const result = await this.#call('append', () => append(this.#connection, deadlineMs, wanted));
      this.#failedAppend = undefined;
      this.#watch.notify();
      return result;
    } catch (error) {
      if (error instanceof EventStoreError && (error.code === 'Unavailable' || error.code === 'Unknown')) {
        this.#failedAppend = { at: performance.now(), reason: error.message };
      }
      throw error;
    }
  }

  /** Reads from the leader. Rejects with `Invalid` for a permanently deleted stream. */
  readStream(stream: string, options: ReadStreamOptions = {}): Promise<StreamPage> {
    const { deadlineMs } = this.settings;
    return this.#call('read', () => readStreamPage(this.#connection, deadlineMs, stream, options));
  }

  readAll(options: ReadAllOptions = {}): Promise<AllPage> {
    return this.#call('read', () => readAllPage(this.#connection, this.settings.deadlineMs, options));
  }

  /** The server sends only whole events. */
  async readHeaders(options: ReadAllOptions = {}): Promise<HeadersPage> {
    return toHeadersPage(await this.readAll(options));
  }

  /** The position of the last record, which may be an event of the server itself. */
  async head(): Promise<Position | undefined> {
    const head = await this.#call('read', () =>
      this.#connection.call(this.settings.deadlineMs, 'read', (attempt) => readHead(attempt, true)),
    );
    return head && formatPosition(head);
  }

  onAppended(listener: () => void): () => void {
    return this.#closing === undefined ? this.#watch.listen(listener) : () => undefined;
  }

  subscribeToAll(options: SubscribeToAllOptions, subscriber: Subscriber): Subscription {
    if (this.#closing !== undefined) return failedSubscription(subscriber);
    const subscription = new AllSubscription(this.settings, options, subscriber);
    this.#subscriptions.add(subscription);
    void subscription.ended.finally(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  comparePositions(a: Position, b: Position): -1 | 0 | 1 {
    return compareLogPositions(parsePosition(a), parsePosition(b));
  }

  /** Whether the leader answers and no append has failed recently. Writes nothing. Takes 2 s at most. */
  async health(): Promise<StoreHealth> {
    const failed = this.#failedAppend;
    if (failed !== undefined && performance.now() - failed.at < RECENT_FAILURE_MS_MAX) {
      return { writable: false, reason: failed.reason };
    }
    try {
      const probeMs = Math.min(PROBE_MS_MAX, this.settings.deadlineMs);
      await this.#call('read', () => readStreamPage(this.#connection, probeMs, PROBE_STREAM, { limit: 1 }));
      return { writable: true };
    } catch (error) {
      return { writable: false, reason: errorMessage(error) };
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Waits for calls in flight, which end by their deadlines, and for the event that a subscriber is handling. */
  async #close(): Promise<void> {
    this.#watch.stop();
    const inFlight = Promise.allSettled(this.#inFlight);
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
    await inFlight;
    this.#connection.close();
  }

  /** Translates every error of the driver. */
  async #call<T>(purpose: CallPurpose, call: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closedError();
    const running = call();
    this.#inFlight.add(running);
    try {
      return await running;
    } catch (error) {
      if (error instanceof EventStoreError) throw error;
      if (error instanceof CallFailed) throw toEventStoreError(error.fault, this.settings.name, purpose);
      throw new EventStoreError(purpose === 'append' ? 'Unknown' : 'Unavailable', 'the driver failed');
    } finally {
      this.#inFlight.delete(running);
    }
  }
}

/** Connects at the first call. Throws `Invalid` with one sentence for an unusable address. */
export function openEventStoreDb(options: EventStoreDbOptions): EventStoreDbStore {
  const server = readServerSettings(options.url);
  const deadlineMs = options.deadlineMs ?? server.address.defaultDeadline ?? DEADLINE_MS;
  if (!Number.isFinite(deadlineMs) || deadlineMs < 1) {
    throw new EventStoreError('Invalid', `a deadline is a number of ms from 1, not ${deadlineMs}`);
  }
  const report: OperatorReport = (message) => {
    try {
      options.report?.(`EventStoreDB (${server.name}): ${message}`);
    } catch {
      // An error of the caller's function must not stop the store.
    }
  };
  return new EventStoreDbStore({ ...server, deadlineMs, report });
}

/** The subscriber is never called before `subscribeToAll` has returned. */
function failedSubscription(subscriber: Subscriber): Subscription {
  const ended = setImmediate().then(() => subscriber.onFailure?.(closedError()));
  return { stop: () => ended };
}

function closedError(): EventStoreError {
  return new EventStoreError('Unavailable', 'the store is closed');
}
