import { setTimeout } from 'node:timers/promises';
import { EventStoreError } from '@tillstream/event-store';
import type { Config } from '../configuration/config.js';

export type StoreConfig = Pick<Config, 'eventStore' | 'eventStoreDb'>;

const RETRY_INTERVAL_MS = 500;

/**
 * Runs a step of the start, and repeats it while EventStoreDB is `Unavailable`, within `EVENTSTOREDB_WAIT_MS`. The step must
 * be repeatable. Errors of the embedded store are thrown at once, because it waits by itself.
 */
export async function retryWhileUnavailable<T>(
  { eventStore, eventStoreDb }: StoreConfig,
  step: () => Promise<T>,
): Promise<T> {
  return retryWithin(eventStore === 'eventstoredb' ? eventStoreDb.wait : 0, isUnavailable, step);
}

/** Runs a step, and repeats it within `waitMs` while its error is one that passes, by `isPassing`. */
export async function retryWithin<T>(
  waitMs: number,
  isPassing: (error: unknown) => boolean,
  step: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isPassing(error) || performance.now() + RETRY_INTERVAL_MS > until) throw error;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  }
}

export function isUnavailable(error: unknown): error is EventStoreError {
  return error instanceof EventStoreError && error.code === 'Unavailable';
}
