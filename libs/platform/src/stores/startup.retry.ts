import { setTimeout } from 'node:timers/promises';
import { EventStoreError } from '@tillstream/event-store';
import type { Config } from '../configuration/config.js';

export type StoreConfig = Pick<Config, 'eventStore' | 'eventStoreDb'>;

const RETRY_INTERVAL_MS = 500;

/**
 * Runs a step of the start, and again as it is while EventStoreDB is `Unavailable`, within `EVENTSTOREDB_WAIT_MS`: one call
 * that a busy server leaves without an answer is no reason not to start. The step has to be one that may be repeated. The
 * embedded store waits by itself; its errors pass at once.
 */
export async function retryWhileUnavailable<T>(
  { eventStore, eventStoreDb }: StoreConfig,
  step: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + (eventStore === 'eventstoredb' ? eventStoreDb.wait : 0);
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + RETRY_INTERVAL_MS > until) throw error;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  }
}

export function isUnavailable(error: unknown): error is EventStoreError {
  return error instanceof EventStoreError && error.code === 'Unavailable';
}
