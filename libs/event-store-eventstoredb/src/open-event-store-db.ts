import { EventStoreError } from '@tillstream/event-store';
import { readServerSettings } from './connection/server.settings.js';
import { EventStoreDbStore } from './event-store-db.store.js';
import { prefixedReport, type OperatorReport } from './connection/operator.report.js';

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`, with TLS and credentials in it. */
  readonly url: string;
  /** Longest time one call may take, ms. Left out: the address's `defaultDeadline`, or 5000. */
  readonly deadlineMs?: number;
  /** Told what an operator should know (reconnected, subscription made anew, call given up), one line, never with credentials. */
  readonly report?: OperatorReport;
}

const DEADLINE_MS = 5000;

/**
 * The store behind an address. Throws `Invalid` with one sentence for an address that can't be used; does not wait for
 * the server, and does not connect before the first call.
 */
export function openEventStoreDb(options: EventStoreDbOptions): EventStoreDbStore {
  const server = readServerSettings(options.url);
  const deadlineMs = options.deadlineMs ?? server.address.defaultDeadline ?? DEADLINE_MS;
  if (!Number.isFinite(deadlineMs) || deadlineMs < 1) {
    throw new EventStoreError('Invalid', `a deadline is a number of ms from 1, not ${deadlineMs}`);
  }
  return new EventStoreDbStore(server, deadlineMs, prefixedReport(server.name, options.report));
}
