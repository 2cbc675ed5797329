import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSqliteFileInUse } from '@tillstream/event-store-sqlite';
import { setEventSource, openSqliteIdempotency, openSqliteWorkQueue } from '@tillstream/payments-sqlite';
import { openSandbox } from '@tillstream/sandbox';
import { loadResponseKey } from '../idempotency/response.sealer.js';
import type { Config } from '../configuration/config.js';
import { pathExists } from '../files/path.stats.js';
import { noLog } from '../logging/log.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { displayAddress, openEventsFile } from '../stores/store.address.js';
import { openVault } from '../stores/vault.opener.js';
import { findLedgerFiles } from './sandbox-ledger.files.js';
import { isMissingOrEmpty } from './usage.traces.js';

/** What an operator loses by replacing a file of this name. */
export const LOSS_BY_FILE: Readonly<Record<string, string>> = {
  'vault.db':
    'no card that was stored before can be used, no name be read, and no webhook be signed until its secret is rotated',
  'sandbox.db': 'the simulated acquirer knows none of the old payments',
  'answers.key': 'a repeat under an old Idempotency-Key is answered with an error instead of the kept answer',
  'events.db':
    "a repeat under an old Idempotency-Key counts as a new request, which can charge a customer twice, and the service's clock shows real time",
};

const FURTHER_LEDGER = /^sandbox-[a-z][a-z0-9-]{0,29}\.db$/;

/** What an operator loses by replacing the file; undefined: this file can't be replaced. */
export function describeLoss(name: string): string | undefined {
  return LOSS_BY_FILE[FURTHER_LEDGER.test(name) ? 'sandbox.db' : name];
}

/**
 * Creates a new file in place of a lost one, by an operator's explicit command. The next start accepts it.
 * @returns its path
 * @throws ConfigError if a file of this name can't be replaced, if it exists, or if another process has a file of the data
 * directory open
 */
export async function replaceLostFile(config: Config, name: string): Promise<string> {
  const { dataDir } = config;
  if (describeLoss(name) === undefined) {
    throw new ConfigError(
      `"${name}" can not be replaced; allowed are ${Object.keys(LOSS_BY_FILE).join(', ')}, sandbox-<name>.db.`,
    );
  }
  if (!pathExists(dataDir)) throw new ConfigError(`There is no DATA_DIR "${dataDir}".`);
  const file = join(dataDir, name);
  if (!isMissingOrEmpty(file)) {
    throw new ConfigError(
      `${file} is there: stop every process of the service and move it away first, with its -wal and -shm, if it can not be used any more.`,
    );
  }
  assertNotInUse(dataDir);
  // A write-ahead log of the lost file must not be applied to the new one.
  for (const rest of [file, `${file}-wal`, `${file}-shm`]) rmSync(rest, { force: true });
  await createFile(config, name, file);
  return file;
}

/** A running service would go on with the lost file, and its writes would be missing in the new one. */
function assertNotInUse(dataDir: string): void {
  for (const name of ['events.db', 'vault.db', ...findLedgerFiles(dataDir)]) {
    const other = join(dataDir, name);
    if (isMissingOrEmpty(other) || !isOpenElsewhere(other)) continue;
    throw new ConfigError(`${other} is open in another process: stop every process of the service first.`);
  }
}

/** A damaged file counts as not in use; its next opening reports the damage. */
function isOpenElsewhere(file: string): boolean {
  try {
    return isSqliteFileInUse(file);
  } catch {
    return false;
  }
}

async function createFile(config: Config, name: string, file: string): Promise<void> {
  if (name === 'answers.key') loadResponseKey(undefined, config.dataDir);
  else if (name === 'vault.db') await (await openVault(config, noLog)).vault.close();
  else if (name !== 'events.db') {
    openSandbox({ file, processorDeadlineMs: config.timings.processorDeadline }).close();
  } else await createIdempotencyFile(config, file);
}

/** Creates `events.db` beside EventStoreDB. The events of the embedded store can't be replaced in a used data directory. */
async function createIdempotencyFile(
  { eventStore, eventStoreDb: { url } }: Config,
  path: string,
): Promise<void> {
  if (eventStore !== 'eventstoredb' || url === undefined) {
    throw new ConfigError(
      `${path} holds the events themselves: restore it from a backup, or set DATA_DIR to a new directory to start anew without the old payments.`,
    );
  }
  const file = await openEventsFile(path, false);
  try {
    await openSqliteWorkQueue(file);
    await openSqliteIdempotency(file);
    await setEventSource(file, displayAddress(url));
  } finally {
    await file.close();
  }
}
