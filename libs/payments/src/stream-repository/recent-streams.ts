import { LRUCache } from 'lru-cache';
import type { LoadedStream } from './stream-repository.js';

export interface RecentStreamsLimits {
  /** Events of all kept streams together: they bound the memory. A longer stream is never kept. */
  readonly eventsMax: number;
  /** Shorter streams are not kept: reading them again costs little. Left out: all are kept. */
  readonly historyMin?: number;
}

/**
 * The streams that were loaded last. The repository then reads and folds only the events after them. For categories like
 * tokens, of which the same few streams are loaded again and again, and for streams that have become long.
 */
export class RecentStreams<State> {
  readonly #streams: LRUCache<string, LoadedStream<State>>;
  readonly #historyMin: number;

  constructor({ eventsMax, historyMin = 1 }: RecentStreamsLimits) {
    this.#historyMin = historyMin;
    this.#streams = new LRUCache({ maxSize: eventsMax, sizeCalculation: ({ history }) => history.length });
  }

  find(stream: string): LoadedStream<State> | undefined {
    return this.#streams.get(stream);
  }

  /** A stream that is too long drops out. */
  keep(loaded: LoadedStream<State>): void {
    if (loaded.history.length >= this.#historyMin) this.#streams.set(loaded.stream, loaded);
  }
}
