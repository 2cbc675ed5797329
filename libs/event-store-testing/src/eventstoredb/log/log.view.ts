import type { EventLog, StreamHistory } from './event.log.js';

/** The part of the log that one node shows. A follower that lags shows only records that are older than the lag. */
export class LogView {
  readonly #listeners = new Set<() => void>();
  #head: number;
  #lagMs = 0;

  constructor(readonly log: EventLog) {
    this.#head = log.count;
    log.onAppend(() => {
      const count = log.count;
      if (this.#lagMs === 0) this.#advance(count);
      else setTimeout(() => this.#advance(count), this.#lagMs).unref();
    });
  }

  /** Records shown. */
  get head(): number {
    return this.#head;
  }

  /** Applies from the next append on; 0 shows everything at once. */
  set lagMs(ms: number) {
    this.#lagMs = ms;
    if (ms === 0) this.#advance(this.log.count);
  }

  onAdvance(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The number of shown events of the stream, including those that a delete hides. */
  revisions(stream: StreamHistory): number {
    let count = stream.records.length;
    while (count > 0 && (stream.records[count - 1] ?? 0) >= this.#head) count -= 1;
    return count;
  }

  #advance(to: number): void {
    if (to <= this.#head) return;
    this.#head = to;
    for (const listener of [...this.#listeners]) listener();
  }
}
