import { EventStoreError } from '@tillstream/event-store';
import { readServerSettings, type OperatorReport } from './connection/server.settings.js';
import { EventStoreDbStore } from './event-store-db.store.js';

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`, including TLS options and credentials. */
  readonly url: string;
  /** Longest time one call may take, ms. Left out: the address's `defaultDeadline`, or 5000. */
  readonly deadlineMs?: number;
  /** Receives each reconnect, renewed subscription and abandoned call. */
  readonly report?: OperatorReport;
}

const DEADLINE_MS = 5000;

/**
 * Opens the store at an address. Throws `Invalid` with one sentence for an unusable address. Connects at the first call.
 */
export function openEventStoreDb(options: EventStoreDbOptions): EventStoreDbStore {
  const server = readServerSettings(options.url);
  const deadlineMs = options.deadlineMs ?? server.address.defaultDeadline ?? DEADLINE_MS;
  if (!Number.isFinite(deadlineMs) || deadlineMs < 1) {
    throw new EventStoreError('Invalid', `a deadline is a number of ms from 1, not ${deadlineMs}`);
  }
  const report: OperatorReport = (message) => {
    try {
      options.report?.(`EventStoreDB (${server.name}): ${message}`);
    } catch {
      // An error of the caller's function must not stop the store.
    }
  };
  return new EventStoreDbStore({ ...server, deadlineMs, report });
}
