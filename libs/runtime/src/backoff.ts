const DOUBLINGS_MAX = 16;

export interface BackoffLimits {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Pauses after consecutive failures: each is twice as long as the one before, up to the longest. */
export class Backoff {
  #failures = 0;

  constructor(private readonly limits: BackoffLimits) {}

  /** Ms to wait after one more failure. */
  next(): number {
    const pauseMs = this.limits.firstPauseMs * 2 ** this.#failures;
    this.#failures = Math.min(this.#failures + 1, DOUBLINGS_MAX);
    return Math.min(pauseMs, this.limits.longestPauseMs);
  }

  reset(): void {
    this.#failures = 0;
  }
}
