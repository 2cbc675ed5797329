import { setTimeout } from 'node:timers/promises';
import { PostgresError } from './postgres.errors.js';

/** A client's request may be sent to a processor within 2 s of its arrival; the repeats leave time for that. */
const REPEAT_WITHIN_MS = 1_200;
const PAUSE_MS_MAX = 100;

/**
 * Repeats `work` while the database is away for a moment or did not say whether it committed. `work` must have the same
 * effect and result however often it is run.
 * @throws PostgresError of the last run
 */
export async function repeatUntilKnown<T>(work: () => Promise<T>, withinMs = REPEAT_WITHIN_MS): Promise<T> {
  const until = performance.now() + withinMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof PostgresError && error.code !== 'Refused';
      if (!isPassing || performance.now() + pauseMs > until) throw error;
    }
    // A random pause, so that processes do not all repeat at the same time.
    await setTimeout(pauseMs * (0.5 + Math.random() / 2));
  }
}
