import {
  canonicalObjectJson,
  PreserialisedEvent,
  type Append,
  type AppendResult,
  type EventStore,
  type RecordedEvent,
} from '@tillstream/event-store';
import { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { withRetries, type RetryPolicy } from './call.retry.js';

const APPEND_EVENTS_MAX = 100;
/** UTF-8 bytes of data and metadata; a single event may have more. */
const APPEND_BYTES_MAX = 524_288;

/** An append of recorded events, with its size. */
interface Packed {
  readonly append: Append;
  readonly bytes: number;
}

/**
 * Packs recorded events into appends that write them again in their order. Neighbours of one stream share an append of at
 * most 100 events and 512 KiB. Ids and hashes stay, so every store recognises a repeated append.
 */
export function packAppends(events: readonly RecordedEvent[]): Packed[] {
  const packed: Packed[] = [];
  let last: OpenPack | undefined;
  for (const event of events) {
    const data = canonicalObjectJson(event.data);
    const metadata = canonicalObjectJson(event.metadata);
    const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
    const copy = new PreserialisedEvent(
      { id: event.id, type: event.type, data, metadata },
      event.data,
      event.metadata,
    );
    if (last !== undefined && follows(last, event) && last.bytes + bytes <= APPEND_BYTES_MAX) {
      last.append.events.push(copy);
      last.bytes += bytes;
    } else {
      const { stream, revision } = event;
      const expected = revision === 0 ? ('none' as const) : revision - 1;
      last = { append: { stream, expected, events: [copy] }, bytes, first: revision };
      packed.push(last);
    }
  }
  return packed;
}

interface OpenPack {
  readonly append: Append & { readonly events: PreserialisedEvent[] };
  bytes: number;
  readonly first: number;
}

function follows({ append, first }: OpenPack, { stream, revision }: RecordedEvent): boolean {
  return (
    append.stream === stream &&
    append.events.length < APPEND_EVENTS_MAX &&
    revision === first + append.events.length
  );
}

/** Writes appends in their order. Whichever of them fails, the target holds a prefix of them. */
export interface OrderedWriter {
  /**
   * Must not be called again before it has resolved. Calls `onWritten` when events are durable. Rejects with
   * `TargetMoved`, with the store's error when the time for retries is over, or with the signal's reason between two appends.
   */
  write(appends: readonly Packed[], onWritten: (events: number) => void): Promise<void>;
}

/** Another process writes to the target, or an append of an earlier run was committed late. */
export class TargetMoved extends Error {
  override readonly name = 'TargetMoved';
}

type Conflict = Extract<AppendResult, { kind: 'Conflict' }>;

/** For any store: sends an append when the one before it is definite. */
export class OneByOne implements OrderedWriter {
  constructor(
    private readonly store: Pick<EventStore, 'append'>,
    private readonly retryPolicy: RetryPolicy,
  ) {}

  async write(appends: readonly Packed[], onWritten: (events: number) => void): Promise<void> {
    for (const { append } of appends) {
      this.retryPolicy.signal.throwIfAborted();
      const result = await withRetries(() => this.store.append(append), this.retryPolicy);
      if (result.kind === 'Conflict') throw moved(append, result);
      onWritten(append.events.length);
    }
  }
}

/** A commit of this size takes milliseconds, its fsync included. */
const UNIT_BYTES_MAX = 2_097_152;

/**
 * For the embedded store: one fsync for many appends. A unit is written whole or not at all. Concurrent appends would not
 * do: the store may commit them in several groups, and if it refused one group and wrote the next, the order would be lost.
 */
export class UnitByUnit implements OrderedWriter {
  constructor(
    private readonly store: Pick<SqliteEventStore, 'execute'>,
    private readonly retryPolicy: RetryPolicy,
  ) {}

  async write(appends: readonly Packed[], onWritten: (events: number) => void): Promise<void> {
    for (const unit of unitsOf(appends)) {
      this.retryPolicy.signal.throwIfAborted();
      const steps = unit.map((append) => ({ kind: 'append' as const, append }));
      const result = await withRetries(() => this.store.execute(steps), this.retryPolicy);
      if (result.kind === 'Refused') {
        const refused = unit[result.step];
        throw result.because.kind === 'Conflict' && refused !== undefined
          ? moved(refused, result.because)
          : new TargetMoved('the target refused a write');
      }
      onWritten(unit.reduce((count, { events }) => count + events.length, 0));
    }
  }
}

export function orderedWriterFor(store: EventStore, retryPolicy: RetryPolicy): OrderedWriter {
  return store instanceof SqliteEventStore
    ? new UnitByUnit(store, retryPolicy)
    : new OneByOne(store, retryPolicy);
}

function* unitsOf(appends: readonly Packed[]): Generator<Append[]> {
  let unit: Append[] = [];
  let size = 0;
  for (const { append, bytes } of appends) {
    if (unit.length > 0 && size + bytes > UNIT_BYTES_MAX) {
      yield unit;
      unit = [];
      size = 0;
    }
    unit.push(append);
    size += bytes;
  }
  if (unit.length > 0) yield unit;
}

function moved({ stream, expected }: Append, { actual }: Conflict): TargetMoved {
  const stands = actual === 'none' ? 'does not exist' : `is at revision ${actual}`;
  const due = expected === 'none' ? 'should not exist' : `should be at ${expected}`;
  return new TargetMoved(`stream ${stream} ${stands} in the target and ${due}: something else wrote there`);
}
