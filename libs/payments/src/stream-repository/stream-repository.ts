import type { Decision, EventCodec } from '@tillstream/domain';
import { transact, type Append, type AppendResult, type RecordedEvent } from '@tillstream/event-store';
import { fromRecorded, toNewEvents, type Cause, type StreamEvent } from './event-metadata.js';
import { LongLoads } from './long-loads.js';
import { StreamWrites } from './stream-writes.js';
import type { RecentStreams } from './recent-streams.js';
import type { Ports } from '../parts.js';

/** A stream, its events, and the state that follows from them. */
export interface LoadedStream<State> {
  readonly stream: string;
  readonly history: readonly RecordedEvent[];
  readonly state: State;
}

/** A stream that has events. */
export type StoredStream<State> = LoadedStream<Exclude<State, { readonly status: 'None' }>>;

export function isStored<State extends { readonly status: string }>(
  loaded: LoadedStream<State>,
): loaded is StoredStream<State> {
  return loaded.state.status !== 'None';
}

/** @throws Error: the stream has no events, although its caller read or wrote some before */
export function requireStored<State extends { readonly status: string }>(
  state: State,
): Exclude<State, { readonly status: 'None' }> {
  if (state.status === 'None') throw new Error('the stream has no events');
  return state as Exclude<State, { readonly status: 'None' }>;
}

export type WriteResult<State, Event, Rejection, Value> =
  | {
      readonly kind: 'Written';
      readonly loaded: LoadedStream<State>;
      /** Empty if the decision changed nothing. */
      readonly events: readonly Event[];
      readonly value: Value;
    }
  | { readonly kind: 'Rejected'; readonly rejection: Rejection }
  /** Another writer changed the stream before each append. Nothing was written. */
  | { readonly kind: 'Contended' };

interface WriteOptions {
  /** How many decisions to make at most. Default: 4. */
  readonly decisionsMax?: number;
  readonly append?: (append: Append) => Promise<AppendResult>;
}

interface Folded<State, Event extends StreamEvent> {
  readonly codec: EventCodec<Event>;
  fold(events: Iterable<Event>, from?: State): State;
}

const DECISIONS_MAX = 4;
/** Read and folded at once. */
const PAGE_EVENTS = 250;

/** `decisionsMax` of a received fact: it is appended after every conflict, however many there are. */
export const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

/** Loads a stream, decides and appends, and decides again after a conflict. One repository for each category of streams. */
export class StreamRepository<State, Event extends StreamEvent, Rejection, Value = undefined> {
  private readonly longLoads = new LongLoads();
  private readonly writes = new StreamWrites();

  constructor(
    private readonly ports: Pick<Ports, 'store' | 'clock'>,
    private readonly folded: Folded<State, Event>,
    private readonly recent?: RecentStreams<State>,
  ) {}

  async load(stream: string): Promise<LoadedStream<State>> {
    const known = this.recent?.find(stream) ?? this.emptyStream(stream);
    const { loaded, end } = await this.loadPage(known);
    if (!end) return this.longLoads.run(() => this.loadRest(loaded));
    if (loaded !== known) this.recent?.keep(loaded);
    return loaded;
  }

  /** Another load of the same stream may have ended in the meantime. */
  private async loadRest(begun: LoadedStream<State>): Promise<LoadedStream<State>> {
    const recent = this.recent?.find(begun.stream) ?? begun;
    let loaded = recent.history.length > begun.history.length ? recent : begun;
    for (;;) {
      const page = await this.loadPage(loaded);
      loaded = page.loaded;
      if (page.end) break;
      await this.longLoads.rest(page.foldedMs);
    }
    this.recent?.keep(loaded);
    return loaded;
  }

  private async loadPage(known: LoadedStream<State>) {
    const { events, end } = await this.ports.store.readStream(known.stream, {
      from: known.history.length,
      limit: PAGE_EVENTS,
    });
    const startedAt = performance.now();
    const loaded = this.foldNext(known, events);
    return { loaded, end, foldedMs: performance.now() - startedAt };
  }

  /** A new stream, without a read. */
  emptyStream(stream: string): LoadedStream<State> {
    return { stream, history: [], state: this.folded.fold([]) };
  }

  /**
   * The writes of this process to one stream wait for each other, so that they do not append in vain.
   *
   * @param target the stream's name, or the stream as the caller loaded it, which saves a read
   * @throws EventStoreError `Unavailable`: nothing was written; `Unknown`: the events may have been written
   */
  transact(
    target: string | LoadedStream<State>,
    cause: Cause,
    decide: (state: State, history: readonly RecordedEvent[]) => Decision<Event, Rejection, Value>,
    options: WriteOptions = {},
  ): Promise<WriteResult<State, Event, Rejection, Value>> {
    // A prepared decision is made on its own revision, or not at all.
    if (options.decisionsMax === 1) return this.transactNow(target, cause, decide, options);
    const stream = typeof target === 'string' ? target : target.stream;
    return this.writes.run(stream, () => this.transactNow(this.newest(target), cause, decide, options));
  }

  /** An earlier write of this process may have left a newer state than the caller's. */
  private newest(target: string | LoadedStream<State>): string | LoadedStream<State> {
    if (typeof target === 'string') return target;
    const recent = this.recent?.find(target.stream);
    return recent && recent.history.length > target.history.length ? recent : target;
  }

  private async transactNow(
    target: string | LoadedStream<State>,
    cause: Cause,
    decide: (state: State, history: readonly RecordedEvent[]) => Decision<Event, Rejection, Value>,
    options: WriteOptions,
  ): Promise<WriteResult<State, Event, Rejection, Value>> {
    const { codec, fold } = this.folded;
    let known = typeof target === 'string' ? await this.load(target) : target;
    const { stream } = known;
    const result = await transact(this.ports.store, {
      ...{ stream, ...options, knownHistory: known.history },
      decide: (history) => {
        known = this.foldNext(known, history.slice(known.history.length));
        const decision = decide(known.state, history);
        const events = decision.kind === 'Accepted' ? decision.events : [];
        return { events: toNewEvents(codec, events, cause, this.ports.clock), value: { known, decision } };
      },
    });
    if (result.kind === 'Conflict') return { kind: 'Contended' };
    const { state } = result.value.known;
    const { decision } = result.value;
    if (decision.kind === 'Rejected') return decision;
    const { events, value } = decision;
    const loaded = { stream, history: result.history, state: fold(events, state) };
    if (events.length > 0) this.recent?.keep(loaded);
    return { kind: 'Written', loaded, events, value };
  }

  /**
   * For a decision that needs asynchronous work, such as sealing. The append expects the revision that the work started
   * from; after a conflict the work is done again.
   */
  async transactPrepared<Result extends { readonly kind: string }>(
    known: LoadedStream<State>,
    prepare: (state: State) => Promise<(state: State) => Decision<Event, Rejection, Value>>,
    writeOnce: (
      known: LoadedStream<State>,
      decide: (state: State) => Decision<Event, Rejection, Value>,
    ) => Promise<Result>,
  ): Promise<Result> {
    let loaded = known;
    for (let decision = 1; ; decision++) {
      const written = await writeOnce(loaded, await prepare(loaded.state));
      if (written.kind !== 'Contended' || decision >= DECISIONS_MAX) return written;
      loaded = await this.load(loaded.stream);
    }
  }

  private foldNext(known: LoadedStream<State>, next: readonly RecordedEvent[]): LoadedStream<State> {
    if (next.length === 0) return known;
    const { codec, fold } = this.folded;
    const events = next.map((recorded) => fromRecorded(codec, recorded));
    return { stream: known.stream, history: [...known.history, ...next], state: fold(events, known.state) };
  }
}
