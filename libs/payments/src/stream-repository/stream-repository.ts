import type { Decision, EventCodec } from '@tillstream/domain';
import {
  readWholeStream,
  transact,
  type Append,
  type AppendResult,
  type EventStore,
  type RecordedEvent,
} from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents, type Cause } from './event-metadata.js';
import type { RecentStreams } from './recent-streams.js';

/** A stream, its events, and the state that follows from them. */
export interface LoadedStream<State> {
  readonly stream: string;
  readonly history: readonly RecordedEvent[];
  readonly state: State;
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

export interface WriteOptions<State> {
  /** The stream as the caller loaded it. Saves a read. */
  readonly known?: LoadedStream<State>;
  /** How many decisions to make at most. Default: 4. */
  readonly decisionsMax?: number;
  readonly append?: (append: Append) => Promise<AppendResult>;
}

export interface Folded<State, Event extends { readonly type: string; readonly data: object }> {
  readonly codec: EventCodec<Event>;
  fold(events: Iterable<Event>, from?: State): State;
}

const ATTEMPTS = 4;

/** Loads a stream, decides and appends, and decides again after a conflict. One repository for each category of streams. */
export class StreamRepository<
  State,
  Event extends { readonly type: string; readonly data: object },
  Rejection,
  Value = undefined,
> {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly folded: Folded<State, Event>,
    private readonly recent?: RecentStreams<State>,
  ) {}

  async load(stream: string): Promise<LoadedStream<State>> {
    const known = this.recent?.find(stream);
    const read = await readWholeStream(this.store, stream, known?.history.length);
    if (known && read.length === 0) return known;
    const loaded = this.foldStream(stream, read, known);
    this.recent?.keep(loaded);
    return loaded;
  }

  /** A new stream, without a read. */
  emptyStream(stream: string): LoadedStream<State> {
    return this.foldStream(stream, []);
  }

  /** @throws EventStoreError `Unavailable`: nothing was written; `Unknown`: the events may have been written */
  async transact(
    stream: string,
    cause: Cause,
    decide: (state: State) => Decision<Event, Rejection, Value>,
    options: WriteOptions<State> = {},
  ): Promise<WriteResult<State, Event, Rejection, Value>> {
    const { codec, fold } = this.folded;
    const { known, ...transaction } = options;
    const result = await transact(this.store, {
      stream,
      ...transaction,
      ...(known && { knownHistory: known.history }),
      decide: (history) => {
        const state = history === known?.history ? known.state : this.foldStream(stream, history).state;
        const decision = decide(state);
        const events = decision.kind === 'Accepted' ? decision.events : [];
        return { events: toNewEvents(codec, events, cause, this.clock), value: { state, decision } };
      },
    });
    if (result.kind === 'Conflict') return { kind: 'Contended' };
    const { state, decision } = result.value;
    if (decision.kind === 'Rejected') return decision;
    const { events, value } = decision;
    return {
      kind: 'Written',
      loaded: { stream, history: result.history, state: fold(events, state) },
      events,
      value,
    };
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
    for (let attempt = 1; ; attempt++) {
      const written = await writeOnce(loaded, await prepare(loaded.state));
      if (written.kind !== 'Contended' || attempt >= ATTEMPTS) return written;
      loaded = await this.load(loaded.stream);
    }
  }

  private foldStream(
    stream: string,
    read: readonly RecordedEvent[],
    known?: LoadedStream<State>,
  ): LoadedStream<State> {
    const { codec, fold } = this.folded;
    const events = read.map((recorded) => fromRecorded(codec, recorded));
    const history = known ? [...known.history, ...read] : read;
    return { stream, history, state: fold(events, known?.state) };
  }
}
