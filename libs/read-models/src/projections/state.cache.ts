import type { EventStore, RecordedEvent } from '@tillstream/event-store';
import { readWholeStream } from '@tillstream/event-store';
import type { AnySource } from './row.projection.js';

export interface FoldedStream {
  readonly state: unknown;
  /** The events since those that were folded before; all of them where nothing was known. */
  readonly events: readonly RecordedEvent[];
}

interface CachedState {
  readonly state: unknown;
  readonly revision: number;
}

/**
 * Folded streams, those used last: most of what comes next belongs to a stream that has just begun. What has dropped out
 * is read again, whole.
 */
export class StateCache {
  readonly #known = new Map<string, CachedState>();

  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly size: number,
  ) {}

  /** `events` are the next ones that were read of the stream; it may hold more by now, and then more may be given. */
  async fold(source: AnySource, stream: string, events: readonly RecordedEvent[]): Promise<FoldedStream> {
    const first = events[0]?.revision ?? 0;
    const known = this.#known.get(stream);
    const fits = known ? known.revision + 1 === first : first === 0;
    if (fits) return this.#fold(source, stream, known?.state ?? source.initial, events);
    const whole = await readWholeStream(this.store as EventStore, stream);
    return this.#fold(source, stream, source.initial, whole);
  }

  #fold(source: AnySource, stream: string, from: unknown, events: readonly RecordedEvent[]): FoldedStream {
    let state = from;
    for (const event of events) state = source.evolve(state, event);
    const revision = events.at(-1)?.revision ?? -1;
    this.#known.delete(stream);
    this.#known.set(stream, { state, revision });
    if (this.#known.size > this.size) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
    return { state, events };
  }
}
