import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
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
  /** Whether a file of this path holds nothing yet. Throws where it can't be read. */
  readonly isNew: (file: string) => boolean;
  /** Whether the events say that something was stored in it. */
  readonly wasUsed: (events: Pick<EventStore, 'readAll'>) => Promise<boolean>;
  readonly content: string;
}

const VAULT: NeededFile = {
  name: 'vault.db',
  isNew: isNewVault,
  wasUsed: (events) => hasEvent(events, ['token', 'holder']),
  content: 'the cards and names that the events speak of are in it',
};

/** Of the first sandbox any payment counts; of a further one only what was sent to it, for it may be new. */
function neededLedger(processor: string): NeededFile {
  return {
    name: ledgerFileName(processor),
    isNew: isNewSandbox,
    wasUsed: (events) =>
      processor === 'sandbox' ? hasEvent(events, ATTEMPTS) : hasAttemptAt(events, processor),
    content: "the acquirer's books of the payments are in it",
  };
}

/** Categories whose streams have attempts at a processor. */
const ATTEMPTS = ['payment', 'token'];

/**
 * Call it before the vault and the sandboxes are opened, which makes their files. @throws ConfigError where one of them is
 * missing or empty although the events say that something was stored in it
 */
export async function assertFilesNotLost(
  config: Pick<Config, 'dataDir' | 'sandbox' | 'moreSandboxes'>,
  events: Pick<EventStore, 'readAll'>,
): Promise<void> {
  for (const { name, isNew, wasUsed, content } of [
    VAULT,
    ...embeddedSandboxNames(config).map(neededLedger),
  ]) {
    const file = join(config.dataDir, name);
    if (!isLost(file, isNew)) continue;
    // Another process may have made it meanwhile.
    if ((await wasUsed(events)) && isLost(file, isNew)) throw lostFileError(file, content);
  }
}

/** Reads the history up to the first attempt of that processor: only where its file is missing, once when it is new. */
async function hasAttemptAt(events: Pick<EventStore, 'readAll'>, processor: string): Promise<boolean> {
  let from: ReadAllOptions = { categories: ATTEMPTS };
  try {
    for (;;) {
      const page = await events.readAll(from);
      if (page.events.some(({ data }) => data['processor'] === processor)) return true;
      if (page.end || page.next === undefined) return false;
      from = { ...from, after: page.next };
      await setImmediate();
    }
  } catch (error) {
    // An event that can't be read may be one.
    if (findUnreadableEvent(error) !== undefined) return true;
    throw error;
  }
}

/** @throws ConfigError where the key of kept answers is missing, and answers are kept that only it can open */
export function assertResponseKeyNotLost(
  { dataDir, answerKey }: Pick<Config, 'dataDir' | 'answerKey'>,
  file: SqliteEventStore,
): void {
  const path = join(dataDir, 'answers.key');
  if (answerKey !== undefined || !isMissingOrEmpty(path) || !hasStoredResponses(file)) return;
  throw lostFileError(path, 'answers that are kept for Idempotency-Key can be opened with it alone');
}

/**
 * Call it where `events.db` never worked with this store. @throws ConfigError where the store has payments all the same:
 * idempotency keys lie in that file, and without them a client's repeat would be charged again
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
    // What is wrong with it is said where it is opened.
    return false;
  }
}
