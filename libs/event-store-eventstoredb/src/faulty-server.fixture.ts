import { newEventId, type Append, type RecordedEvent } from '@tillstream/event-store';
import { numberedEvents } from '@tillstream/event-store-testing';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import type { EventStoreDbStore } from './event-store-db.store.js';
import { openEventStoreDb, type EventStoreDbOptions } from './event-store-db.store.js';

export interface FaultyServer {
  readonly double: EventStoreDbDouble;
  readonly store: EventStoreDbStore;
  /** Reports to operators. */
  readonly reports: string[];
}

/** Doubles and stores for one spec, closed after each of its tests. */
export class FaultyServers {
  readonly #toClose: (() => Promise<void>)[] = [];

  async start(
    options: Partial<EventStoreDbOptions> = {},
    double: Parameters<typeof startEventStoreDbDouble>[0] = {},
  ): Promise<FaultyServer> {
    const started = await startEventStoreDbDouble(double);
    this.closeLater(() => started.close());
    return { double: started, ...this.open(started.url, options) };
  }

  open(url: string, options: Partial<EventStoreDbOptions> = {}): Omit<FaultyServer, 'double'> {
    const reports: string[] = [];
    const store = openEventStoreDb({ url, report: (line) => reports.push(line), ...options });
    this.closeLater(() => store.close());
    return { store, reports };
  }

  closeLater(close: () => Promise<void>): void {
    this.#toClose.push(close);
  }

  async closeAll(): Promise<void> {
    for (const close of this.#toClose.splice(0).reverse()) await close();
  }
}

/**
 * A test with its own servers, which are closed after it: for `it.concurrent`, where tests mostly wait for a silence or a
 * deadline.
 */
export function withServers(test: (servers: FaultyServers) => Promise<void>): () => Promise<void> {
  return async () => {
    const servers = new FaultyServers();
    try {
      await test(servers);
    } finally {
      await servers.closeAll();
    }
  };
}

/** An append of `events` events to a new stream. */
export function appendToNewStream(events = 1, category = 'payment'): Append {
  return { stream: `${category}-${newEventId()}`, expected: 'none', events: numberedEvents(events) };
}

export function eventNumbers(events: readonly RecordedEvent[]): unknown[] {
  return events.map(({ data }) => data['number']);
}

/** The duration of the call, ms, whether it succeeds or fails. */
export async function elapsedMs(call: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await call.catch(() => undefined);
  return performance.now() - begin;
}

/** Repeats an append until it succeeds: on a busy machine the first call loads the driver and may miss its deadline. */
export async function waitUntilConnected(store: Pick<EventStoreDbStore, 'append'>): Promise<void> {
  const append = appendToNewStream();
  for (let attempts = 0; attempts < 20; attempts++) {
    if (await store.append(append).then(Boolean, () => false)) return;
  }
  throw new Error('no append succeeded');
}
