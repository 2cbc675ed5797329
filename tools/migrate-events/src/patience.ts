import { EventStoreError } from '@tillstream/event-store';
import { setTimeout } from 'node:timers/promises';

export interface Patience {
  /** How long one call is repeated while the store does not answer, ms of real time since it began. */
  readonly patienceMs: number;
  /** Ends the waiting, never the call in hand. */
  readonly signal: AbortSignal;
  /** Told once per call that has to be repeated. */
  waiting(reason: string): void;
}

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

/**
 * Repeats the call as it is while the store is `Unavailable` or its answer `Unknown`: an append with the same ids under
 * the same revision is never written twice, and going on before it is definite could change the order. Rejects with the
 * store's error when patience runs out or the signal comes.
 */
export async function withPatience<T>(
  call: () => Promise<T>,
  { patienceMs, signal, waiting }: Patience,
): Promise<T> {
  const since = performance.now();
  for (let pause = SHORTEST_PAUSE_MS, tries = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS), tries++) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || signal.aborted || performance.now() - since + pause > patienceMs) throw error;
      if (tries === 1) waiting(error.message);
    }
    // Woken by the signal it goes round once more: the append in hand may become definite.
    await setTimeout(pause, undefined, { signal }).catch(() => undefined);
  }
}

function isPassing(error: unknown): error is EventStoreError {
  return error instanceof EventStoreError && (error.code === 'Unavailable' || error.code === 'Unknown');
}
