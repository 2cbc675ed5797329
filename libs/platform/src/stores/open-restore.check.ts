import type { EventStore } from '@tillstream/event-store';
import { findOpenRestore } from '@tillstream/payments';
import { ConfigError } from '../configuration/setting.kinds.js';

/**
 * For the start of a service: until an operator has compared a restored history with the processors, a new operation could
 * get the number, and so the processor's key, of one that the history has lost.
 * @throws ConfigError if an older copy of the events was restored and not reconciled
 */
export async function assertReconciled(store: EventStore): Promise<void> {
  const restore = await findOpenRestore(store);
  if (!restore) return;
  throw new ConfigError(
    `A copy of ${restore.takenAt} was restored, and what the processors executed since is not in the history: compare it with their daily files (npm run --silent tillstream -- reconcile --help), then run npm run --silent tillstream -- resume-after-restore --reason "…".`,
  );
}
