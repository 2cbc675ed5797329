import { LRUCache } from 'lru-cache';
import { readWholeStream, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import type { WrittenStream } from '../read-models.types.js';
import type { StreamSource } from './row.projection.js';

/**
 * States of the streams that were folded last: the next events of a store mostly belong to streams that began shortly
 * before. A stream that has dropped out of the cache is read whole again.
 */
export class StateCache {
  readonly #states: LRUCache<string, { readonly state: unknown; readonly revision: number }>;

  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    size: number,
  ) {
    this.#states = new LRUCache({ max: size });
  }

  /** Folds the stream's next events. If it has to read the whole stream, the result has all its events, also later ones. */
  async fold(
    source: StreamSource<unknown>,
    stream: string,
    next: readonly RecordedEvent[],
  ): Promise<WrittenStream> {
    const first = next[0]?.revision ?? 0;
    const cached = this.#states.get(stream);
    const continues = (cached?.revision ?? -1) + 1 === first;
    const events = continues ? next : await readWholeStream(this.store as EventStore, stream);
    let state = continues && cached ? cached.state : source.initial;
    for (const event of events) state = source.evolve(state, event);
    if (source.isReadAnew !== true)
      this.#states.set(stream, { state, revision: events.at(-1)?.revision ?? -1 });
    return { stream, state, events };
  }
}
