import { LRUCache } from 'lru-cache';
import { readWholeStream, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import type { AnySource } from './row.projection.js';

export interface FoldedStream {
  readonly state: unknown;
  /** The events since the cached state; all of the stream's if none was cached. */
  readonly events: readonly RecordedEvent[];
}

interface CachedState {
  readonly state: unknown;
  readonly revision: number;
}

/**
 * States of the streams that were folded last: the next events of a store mostly belong to streams that began shortly
 * before. A stream that has dropped out of the cache is read whole again.
 */
export class StateCache {
  readonly #states: LRUCache<string, CachedState>;

  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    size: number,
  ) {
    this.#states = new LRUCache({ max: size });
  }

  /** Folds the stream's next events. If it has to read the whole stream, the result may contain later events too. */
  async fold(source: AnySource, stream: string, events: readonly RecordedEvent[]): Promise<FoldedStream> {
    const first = events[0]?.revision ?? 0;
    const cached = this.#states.get(stream);
    if ((cached?.revision ?? -1) + 1 === first) {
      return this.#fold(source, stream, cached?.state ?? source.initial, events);
    }
    const whole = await readWholeStream(this.store as EventStore, stream);
    return this.#fold(source, stream, source.initial, whole);
  }

  #fold(source: AnySource, stream: string, from: unknown, events: readonly RecordedEvent[]): FoldedStream {
    let state = from;
    for (const event of events) state = source.evolve(state, event);
    this.#states.set(stream, { state, revision: events.at(-1)?.revision ?? -1 });
    return { state, events };
  }
}
