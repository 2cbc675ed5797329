import type { LoadedStream } from './stream-repository.js';

/** Longer ones are rare, and would make the bound on their number no bound on memory. */
const LONGEST = 50;

/**
 * The streams loaded last, a few kilobytes each: an event never changes, so that only what was appended since has to be
 * read. For streams of which the same few are loaded again and again, as tokens are.
 */
export class RecentStreams<State> {
  /** The one used longest ago first. */
  readonly #kept = new Map<string, LoadedStream<State>>();

  constructor(private readonly most: number) {}

  find(stream: string): LoadedStream<State> | undefined {
    const found = this.#kept.get(stream);
    if (found) this.keep(found);
    return found;
  }

  /** An empty stream is not kept: nothing was read of it. */
  keep(loaded: LoadedStream<State>): void {
    const { stream, history } = loaded;
    this.#kept.delete(stream);
    if (history.length === 0 || history.length > LONGEST) return;
    this.#kept.set(stream, loaded);
    if (this.#kept.size > this.most) this.#kept.delete(this.#kept.keys().next().value ?? '');
  }
}
