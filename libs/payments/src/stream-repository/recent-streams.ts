import { LRUCache } from 'lru-cache';
import type { LoadedStream } from './stream-repository.js';

/** Events. Longer streams are rare, and without this limit the number of streams would not bound the memory. */
const HISTORY_MAX = 50;

/**
 * The streams that were loaded last, a few kilobytes each. The repository then reads only the events after them. For
 * categories like tokens, of which the same few streams are loaded again and again.
 */
export class RecentStreams<State> {
  readonly #streams: LRUCache<string, LoadedStream<State>>;

  constructor(streamsMax: number) {
    this.#streams = new LRUCache({ max: streamsMax });
  }

  find(stream: string): LoadedStream<State> | undefined {
    return this.#streams.get(stream);
  }

  keep(loaded: LoadedStream<State>): void {
    const { stream, history } = loaded;
    if (history.length === 0 || history.length > HISTORY_MAX) this.#streams.delete(stream);
    else this.#streams.set(stream, loaded);
  }
}
