import { EventStoreError } from '@tillstream/event-store';
import { setTimeout } from 'node:timers/promises';

export interface RetryPolicy {
  /** How long one call is repeated while the store does not answer, ms of real time since its start. */
  readonly retryForMs: number;
  /** Ends the repetition, never a running call. */
  readonly signal: AbortSignal;
  /** Called once for each call that has to be repeated. */
  onRetry(reason: string): void;
}

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

/**
 * Repeats the same call while the store is `Unavailable` or its result `Unknown`. An append with the same ids at the same
 * revision is never written twice; the next append must wait for a definite result, or the order could change. Rejects
 * with the store's error when the time is over or the signal is aborted.
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  { retryForMs, signal, onRetry }: RetryPolicy,
): Promise<T> {
  const startedAt = performance.now();
  for (
    let pause = SHORTEST_PAUSE_MS, attempts = 1;
    ;
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS), attempts++
  ) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || signal.aborted || performance.now() - startedAt + pause > retryForMs)
        throw error;
      if (attempts === 1) onRetry(error.message);
    }
    // An aborted signal ends the pause, and the call is repeated once more: its append may become definite.
    await setTimeout(pause, undefined, { signal }).catch(() => undefined);
  }
}

function isTransient(error: unknown): error is EventStoreError {
  return error instanceof EventStoreError && (error.code === 'Unavailable' || error.code === 'Unknown');
}
