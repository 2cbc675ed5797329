import {
  checkedPageSize,
  checkedFromRevision,
  serialiseAppend,
  type SerialisedEvent,
} from './append.validation.js';
import {
  EventStoreError,
  toHeadersPage,
  type AllPage,
  type Append,
  type AppendResult,
  type EventStore,
  type HeadersPage,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StreamPage,
  type SubscribeToAllOptions,
  type Subscriber,
  type Subscription,
} from './event-store.js';
import { streamCategory, type JsonObject, type Position, type RecordedEvent } from './event.js';
import { compareNumberedPositions, positionNumber, positionFromNumber } from './numbered-position.js';
import { CatchUpSubscription, AppendNotifier } from './catch-up.subscription.js';

/** The port in memory, for tests and demonstrations. Events are parsed from their JSON and frozen, so that no reader can change them. */
export class MemoryEventStore implements EventStore {
  readonly #log: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #byId = new Map<string, RecordedEvent>();
  readonly #notifier = new AppendNotifier();
  readonly #subscriptions = new Set<CatchUpSubscription>();
  readonly comparePositions = compareNumberedPositions;
  #closed = false;

  // Async functions without an await: an error that they throw must become a rejection.
  async append(append: Append): Promise<AppendResult> {
    this.#checkOpen();
    const { stream: name, expected, events } = serialiseAppend(append);
    const stream = this.#streams.get(name) ?? [];
    const actual = stream.length === 0 ? 'none' : stream.length - 1;
    const known = this.#byId.get(events[0]?.id ?? '');
    if (known?.stream === name) {
      const from = expected === 'any' ? known.revision : expected === 'none' ? 0 : expected + 1;
      const last = stream[from + events.length - 1];
      const isRepeat = events.every(({ id }, index) => stream[from + index]?.id === id);
      if (isRepeat && last) return { kind: 'Appended', revision: last.revision, position: last.position };
      if (expected === 'any') return { kind: 'Conflict', actual };
    }
    if (expected !== 'any' && expected !== actual) return { kind: 'Conflict', actual };
    return this.#write(name, stream, events);
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<StreamPage> {
    this.#checkOpen();
    const limit = checkedPageSize(options.limit);
    const from = checkedFromRevision(options.from);
    const events = this.#streams.get(stream) ?? [];
    if (options.direction === 'backwards') {
      const last = Math.min(from ?? Infinity, events.length - 1);
      const first = Math.max(0, last - limit + 1);
      return { events: events.slice(first, last + 1).reverse(), end: first === 0 };
    }
    const first = from ?? 0;
    return { events: events.slice(first, first + limit), end: first + limit >= events.length };
  }

  async readAll(options: ReadAllOptions = {}): Promise<AllPage> {
    this.#checkOpen();
    const limit = checkedPageSize(options.limit);
    const categories = options.categories && new Set(options.categories);
    const events: RecordedEvent[] = [];
    let index = positionNumber(options.after);
    for (; index < this.#log.length && events.length < limit; index++) {
      const event = this.#log[index];
      if (event !== undefined && categories?.has(streamCategory(event.stream)) !== false) events.push(event);
    }
    return { events, ...(index > 0 && { next: positionFromNumber(index) }), end: index >= this.#log.length };
  }

  async readHeaders(options: ReadAllOptions = {}): Promise<HeadersPage> {
    return toHeadersPage(await this.readAll(options));
  }

  async head(): Promise<Position | undefined> {
    this.#checkOpen();
    return this.#log.at(-1)?.position;
  }

  onAppended(listener: () => void): () => void {
    return this.#notifier.listen(listener);
  }

  subscribeToAll(options: SubscribeToAllOptions, subscriber: Subscriber): Subscription {
    const read = (page: ReadAllOptions): Promise<AllPage> => this.readAll(page);
    const subscription = new CatchUpSubscription(read, this.#notifier, options, subscriber);
    this.#subscriptions.add(subscription);
    void subscription.ended.finally(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
    this.#closed = true;
  }

  #write(name: string, stream: RecordedEvent[], events: readonly SerialisedEvent[]): AppendResult {
    const duplicate = events.find(({ id }) => this.#byId.has(id));
    if (duplicate !== undefined) {
      throw new EventStoreError('Invalid', `the store already holds an event ${duplicate.id}`);
    }
    for (const event of events) {
      const recorded: RecordedEvent = Object.freeze({
        ...event,
        data: parseFrozen(event.data),
        metadata: parseFrozen(event.metadata),
        stream: name,
        revision: stream.length,
        position: positionFromNumber(this.#log.length + 1),
      });
      stream.push(recorded);
      this.#log.push(recorded);
      this.#byId.set(event.id, recorded);
    }
    this.#streams.set(name, stream);
    this.#notifier.notify();
    return { kind: 'Appended', revision: stream.length - 1, position: positionFromNumber(this.#log.length) };
  }

  #checkOpen(): void {
    if (this.#closed) throw new EventStoreError('Unavailable', 'the store is closed');
  }
}

function parseFrozen(text: string): JsonObject {
  return JSON.parse(text, (_key, value: unknown) => Object.freeze(value)) as JsonObject;
}
