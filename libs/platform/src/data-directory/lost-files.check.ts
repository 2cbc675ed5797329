import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { WEBHOOK_ENDPOINTS_CATEGORY } from '@tillstream/domain';
import { findUnreadableEvent, type EventStore, type ReadAllOptions } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { hasStoredResponses } from '@tillstream/payments-sqlite';
import { isNewSandbox } from '@tillstream/sandbox';
import { isNewVault } from '@tillstream/vault';
import type { Config } from '../configuration/config.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { ledgerFileName, embeddedSandboxNames } from './sandbox-ledger.files.js';
import { BEGIN_ANEW_COMMAND, hasEvent } from './lost-events.check.js';
import { isMissingOrEmpty } from './usage.traces.js';

interface NeededFile {
  readonly name: string;
  /** Whether the file has no content yet. Throws if it can't be read. */
  readonly isNew: (file: string) => boolean;
  /** Whether the events show that the file had content. */
  readonly wasUsed: (events: Pick<EventStore, 'readAll'>) => Promise<boolean>;
  readonly content: string;
}

const VAULT: NeededFile = {
  name: 'vault.db',
  isNew: isNewVault,
  wasUsed: (events) => hasEvent(events, ['token', 'holder', WEBHOOK_ENDPOINTS_CATEGORY]),
  content: 'the cards and names, and the keys of webhook secrets, that the events speak of are in it',
};

/** Any payment shows that the first sandbox was used. A further sandbox may be new, so only its own attempts count. */
function neededLedger(processor: string): NeededFile {
  return {
    name: ledgerFileName(processor),
    isNew: isNewSandbox,
    wasUsed: (events) =>
      processor === 'sandbox' ? hasEvent(events, ATTEMPTS) : hasAttemptAt(events, processor),
    content: "the acquirer's ledger of the payments is in it",
  };
}

/** Categories whose streams have attempts at a processor. */
export const ATTEMPTS = ['payment', 'token'];

/**
 * Call it before the vault and the sandboxes are opened, because the opening creates their files.
 * @throws ConfigError if one of the files is missing or empty, and the events show that it had content
 */
export async function assertFilesNotLost(
  config: Pick<Config, 'dataDir' | 'sandbox' | 'moreSandboxes' | 'sharedStore'>,
  events: Pick<EventStore, 'readAll'>,
): Promise<void> {
  for (const { name, isNew, wasUsed, content } of [
    ...(config.sharedStore === 'files' ? [VAULT] : []),
    ...embeddedSandboxNames(config).map(neededLedger),
  ]) {
    const file = join(config.dataDir, name);
    if (!isLost(file, isNew)) continue;
    // Another process may have created the file since.
    if ((await wasUsed(events)) && isLost(file, isNew)) throw lostFileError(file, content);
  }
}

/** Reads the history up to the first attempt at the processor. Needed only if its ledger file is missing. */
async function hasAttemptAt(events: Pick<EventStore, 'readAll'>, processor: string): Promise<boolean> {
  let options: ReadAllOptions = { categories: ATTEMPTS };
  try {
    for (;;) {
      const page = await events.readAll(options);
      if (page.events.some(({ data }) => data['processor'] === processor)) return true;
      if (page.end || page.next === undefined) return false;
      options = { ...options, after: page.next };
      await setImmediate();
    }
  } catch (error) {
    // An unreadable event may be one.
    if (findUnreadableEvent(error) !== undefined) return true;
    throw error;
  }
}

/** @throws ConfigError if the key of stored responses is missing, and there are stored responses */
export function assertResponseKeyNotLost(
  { dataDir, answerKey }: Pick<Config, 'dataDir' | 'answerKey'>,
  file: SqliteEventStore,
): void {
  const path = join(dataDir, 'answers.key');
  if (answerKey !== undefined || !isMissingOrEmpty(path) || !hasStoredResponses(file)) return;
  throw lostFileError(path, 'answers that are kept for Idempotency-Key can be opened with it alone');
}

/**
 * Call it if `events.db` was never used with this store. Without the idempotency keys in that file a client's repeated
 * request would be charged again.
 * @throws ConfigError if the store has payments
 */
export async function assertIdempotencyKeysNotLost(
  dataDir: string,
  name: string,
  events: Pick<EventStore, 'readAll'>,
): Promise<void> {
  if (!(await hasEvent(events, ATTEMPTS))) return;
  throw new ConfigError(
    `${join(dataDir, 'events.db')} is missing or new, and ${name} has payments whose idempotency keys were in it: set DATA_DIR to the directory that was used with them or restore that file from a backup, or, where it is lost for good, run ${BEGIN_ANEW_COMMAND} events.db.`,
  );
}

function lostFileError(file: string, why: string): ConfigError {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return new ConfigError(
    `${file} is missing or empty, and ${why}: restore it from a backup, or, where it is lost for good, run ${BEGIN_ANEW_COMMAND} ${name}.`,
  );
}

function isLost(file: string, isNew: (file: string) => boolean): boolean {
  if (isMissingOrEmpty(file)) return true;
  try {
    return isNew(file);
  } catch {
    // The opening of the file reports its error.
    return false;
  }
}
