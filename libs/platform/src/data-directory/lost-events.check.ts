import { join } from 'node:path';
import { findUnreadableEvent, type EventStore } from '@tillstream/event-store';
import type { Config } from '../configuration/config.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { isMissingOrEmpty, findUsageTrace } from './usage.traces.js';

/** An operator runs this command for a file that can't be restored. */
export const BEGIN_ANEW_COMMAND = 'npm run --silent tillstream -- begin-anew';

/**
 * Call it before `events.db` is opened, because the opening creates the file.
 * @throws ConfigError if the file is missing or empty, and another file shows that the data directory was used
 */
export function assertEventsFileNotLost({
  dataDir,
  eventStore,
}: Pick<Config, 'dataDir' | 'eventStore'>): void {
  const file = join(dataDir, 'events.db');
  if (!isMissingOrEmpty(file)) return;
  const trace = findUsageTrace(dataDir);
  // Another process may have created the file since.
  if (trace === undefined || !isMissingOrEmpty(file)) return;
  throw new ConfigError(
    `${file} is missing or empty, and ${trace} shows that this data directory was used: restore ${file} from a backup, ${
      eventStore === 'eventstoredb'
        ? `or, where the idempotency keys in it are lost for good, run ${BEGIN_ANEW_COMMAND} events.db`
        : 'or set DATA_DIR to a new directory to start anew without the old payments'
    }.`,
  );
}

/**
 * @param name the store's name for operators
 * @param trace returns a file that also proves earlier events
 * @throws ConfigError if the store has no event, and the data directory was used with events
 */
export async function assertHistoryNotLost(
  dataDir: string,
  name: string,
  store: Pick<EventStore, 'readAll'>,
  trace: () => string | undefined = () => undefined,
): Promise<void> {
  if (!(await isEmpty(store))) return;
  const found = trace() ?? findUsageTrace(dataDir);
  if (found === undefined || !(await isEmpty(store))) return;
  throw new ConfigError(
    `${name} holds no event, and ${found} shows that this data directory was used with events: restore them from a backup, or set the store that has them, or set DATA_DIR to a new directory to start anew without the old payments.`,
  );
}

export async function isEmpty(store: Pick<EventStore, 'readAll'>): Promise<boolean> {
  return !(await hasEvent(store));
}

/** Whether the store has an event, optionally of these categories. An unreadable event counts. */
export async function hasEvent(
  store: Pick<EventStore, 'readAll'>,
  categories?: readonly string[],
): Promise<boolean> {
  try {
    const page = await store.readAll({ ...(categories && { categories }), limit: 1 });
    return page.events.length > 0;
  } catch (error) {
    if (findUnreadableEvent(error) !== undefined) return true;
    throw error;
  }
}
