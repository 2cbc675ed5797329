const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const MOST_DOUBLINGS = 16;

/** Pauses after failures in a row: each is twice as long as the one before, up to 5 s. */
export class Backoff {
  #failures = 0;

  /** Ms. */
  next(): number {
    const pause = FIRST_PAUSE_MS * 2 ** this.#failures;
    this.#failures = Math.min(this.#failures + 1, MOST_DOUBLINGS);
    return Math.min(pause, LONGEST_PAUSE_MS);
  }

  reset(): void {
    this.#failures = 0;
  }
}
