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

/** A stream and what it says: what the next decision starts from. */
export interface LoadedStream<State> {
  readonly stream: string;
  readonly history: readonly RecordedEvent[];
  readonly state: State;
}

export type WriteResult<State, Event, Refusal, Value> =
  | {
      readonly kind: 'Written';
      readonly loaded: LoadedStream<State>;
      /** None where all was said already. */
      readonly events: readonly Event[];
      readonly value: Value;
    }
  | { readonly kind: 'Rejected'; readonly rejection: Refusal }
  /** Others were faster each time; nothing was written. */
  | { readonly kind: 'Contended' };

export interface WriteOptions<State> {
  /** What is known of the stream already: saves a read. */
  readonly known?: LoadedStream<State>;
  /** Decisions at most; left out: 4. */
  readonly attempts?: number;
  readonly append?: (append: Append) => Promise<AppendResult>;
}

export interface Folded<State, Event extends { readonly type: string; readonly data: object }> {
  readonly codec: EventCodec<Event>;
  fold(events: Iterable<Event>, from?: State): State;
}

const ATTEMPTS = 4;

/** Load, decide, append: the one way to the streams of a category. */
export class StreamRepository<
  State,
  Event extends { readonly type: string; readonly data: object },
  Refusal,
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
    const loaded = this.loaded(stream, read, known);
    this.recent?.keep(loaded);
    return loaded;
  }

  /** A stream that was just named. */
  emptyStream(stream: string): LoadedStream<State> {
    return this.loaded(stream, []);
  }

  /** Rejects as the store does: `Unavailable` wrote nothing, `Unknown` may have. */
  async transact(
    stream: string,
    cause: Cause,
    decide: (state: State) => Decision<Event, Refusal, Value>,
    options: WriteOptions<State> = {},
  ): Promise<WriteResult<State, Event, Refusal, Value>> {
    const { codec, fold } = this.folded;
    const { known, ...transaction } = options;
    const result = await transact(this.store, {
      stream,
      ...transaction,
      ...(known && { knownHistory: known.history }),
      decide: (history) => {
        const state = history === known?.history ? known.state : this.loaded(stream, history).state;
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
   * For a decision that has to be prepared, as what is merged with something sealed: it is appended under the very
   * revision that it was prepared from, and prepared anew where somebody else was faster.
   */
  async transactPrepared<Result extends { readonly kind: string }>(
    known: LoadedStream<State>,
    prepare: (state: State) => Promise<(state: State) => Decision<Event, Refusal, Value>>,
    writeOnce: (
      known: LoadedStream<State>,
      decide: (state: State) => Decision<Event, Refusal, Value>,
    ) => Promise<Result>,
  ): Promise<Result> {
    let loaded = known;
    for (let attempt = 1; ; attempt++) {
      const written = await writeOnce(loaded, await prepare(loaded.state));
      if (written.kind !== 'Contended' || attempt >= ATTEMPTS) return written;
      loaded = await this.load(loaded.stream);
    }
  }

  private loaded(
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
