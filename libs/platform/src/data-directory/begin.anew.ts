import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isInUse } from '@tillstream/event-store-sqlite';
import { feedFrom, openSqliteIdempotency, openSqliteOpenWork } from '@tillstream/payments-sqlite';
import { openSandbox } from '@tillstream/sandbox';
import { answerKeyOf } from '../stores/answer.key.js';
import type { Config } from '../config.js';
import { isThere } from '../is-there.js';
import { noLog } from '../log.js';
import { ConfigError } from '../setting.kinds.js';
import { nameOfAddress, openEventsFile } from '../stores/store.address.js';
import { openVault } from '../stores/vault.choice.js';
import { booksIn } from './books.files.js';
import { isMissing } from './traces.of.use.js';

/** What is gone for good when a file of this name is begun anew. */
export const LOST_WITH: Readonly<Record<string, string>> = {
  'vault.db': 'no card that was stored before can be used, and no name be read',
  'sandbox.db': 'the simulated acquirer knows none of the old payments',
  'answers.key': 'a repeat under an old Idempotency-Key is answered with an error instead of the kept answer',
  'events.db':
    "a repeat under an old Idempotency-Key counts as a new request, which can charge a customer twice, and the service's clock shows real time",
};

const FURTHER_BOOKS = /^sandbox-[a-z][a-z0-9-]{0,29}\.db$/;

/** What is gone for good when a file of this name is begun anew; undefined: none can be. */
export function lossOf(name: string): string | undefined {
  return LOST_WITH[FURTHER_BOOKS.test(name) ? 'sandbox.db' : name];
}

/**
 * Makes a new file in place of one that is lost, as an operator's explicit act: the next start takes it for the real one.
 * Gives its path. @throws ConfigError where nothing of this name can be begun anew, the file is there, or
 * a process has another file of the data directory open
 */
export async function beginAnew(config: Config, name: string): Promise<string> {
  const { dataDir } = config;
  if (lossOf(name) === undefined) {
    throw new ConfigError(
      `"${name}" can not be begun anew; allowed are ${Object.keys(LOST_WITH).join(', ')}, sandbox-<name>.db.`,
    );
  }
  if (!isThere(dataDir)) throw new ConfigError(`There is no DATA_DIR "${dataDir}".`);
  const file = join(dataDir, name);
  if (!isMissing(file)) {
    throw new ConfigError(
      `${file} is there: stop every process of the service and move it away first, with its -wal and -shm, if it can not be used any more.`,
    );
  }
  refuseWhileInUse(dataDir);
  // What SQLite kept beside the lost file belongs to no other.
  for (const rest of [file, `${file}-wal`, `${file}-shm`]) rmSync(rest, { force: true });
  await make(config, name, file);
  return file;
}

/** A service goes on with the lost file as long as it has it open, and nothing of that would be in the new one. */
function refuseWhileInUse(dataDir: string): void {
  for (const name of ['events.db', 'vault.db', ...booksIn(dataDir)]) {
    const other = join(dataDir, name);
    if (isMissing(other) || !isUsedNow(other)) continue;
    throw new ConfigError(`${other} is open in another process: stop every process of the service first.`);
  }
}

/** What can't be opened is damaged, and said to be by who needs it. */
function isUsedNow(file: string): boolean {
  try {
    return isInUse(file);
  } catch {
    return false;
  }
}

async function make(config: Config, name: string, file: string): Promise<void> {
  if (name === 'answers.key') answerKeyOf(undefined, config.dataDir);
  else if (name === 'vault.db') await (await openVault(config, noLog)).vault.close();
  else if (name !== 'events.db') {
    openSandbox({ file, processorDeadlineMs: config.timings.processorDeadline }).close();
  } else await makeKeys(config, file);
}

/** `events.db` beside EventStoreDB; the embedded store's own events can't be begun anew in a used data directory. */
async function makeKeys({ eventStore, eventStoreDb: { url } }: Config, path: string): Promise<void> {
  if (eventStore !== 'eventstoredb' || url === undefined) {
    throw new ConfigError(
      `${path} holds the events themselves: restore it from a backup, or set DATA_DIR to a new directory to start anew without the old payments.`,
    );
  }
  const file = await openEventsFile(path, false);
  try {
    await openSqliteOpenWork(file);
    await openSqliteIdempotency(file);
    await feedFrom(file, nameOfAddress(url));
  } finally {
    await file.close();
  }
}
