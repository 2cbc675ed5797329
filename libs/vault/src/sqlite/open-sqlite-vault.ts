import { Keyring } from '../keys/keyring.js';
import { KeyVersions } from '../keys/key-versions.js';
import { MasterKeyError, loadMasterKeys, type MasterKeySource } from '../keys/master-key.js';
import { retryWhileBusy, STARTUP_BUSY_TIMEOUT_MS } from './busy.retry.js';
import { SqliteVault } from './sqlite.vault.js';
import { SubjectRows } from './subject.rows.js';
import { VaultDatabase } from './vault.database.js';

export interface SqliteVaultOptions {
  /** Created if missing, readable by its owner only. With SQLite's `-wal` and `-shm` beside it, on a local disk. */
  readonly file: string;
  readonly masterKeys: MasterKeySource;
}

/**
 * Opens a vault, or creates it with the first key as version 1 of its master key. If the first key is new and the current
 * one is configured too, the new key becomes the next version and a rotation starts.
 * @throws MasterKeyError if a key that the vault needs is not configured; nothing is written then. VaultError
 * `Unavailable` if the file can't be used.
 */
export async function openSqliteVault({ file, masterKeys }: SqliteVaultOptions): Promise<SqliteVault> {
  // Checked before a file is created.
  loadMasterKeys(masterKeys);
  const database = await retryWhileBusy(() => new VaultDatabase(file), STARTUP_BUSY_TIMEOUT_MS);
  try {
    const open = () => database.transaction(() => openVault(database, masterKeys));
    const vault = await retryWhileBusy(open, STARTUP_BUSY_TIMEOUT_MS);
    // A process that was killed during a destruction has left bytes in the log. If the log is in use now, a later start empties it.
    await retryWhileBusy(() => ({ emptied: database.emptyLog() }));
    return vault;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openVault(database: VaultDatabase, masterKeys: MasterKeySource): SqliteVault {
  if (database.isNew()) database.createTables();
  const versions = new KeyVersions(database);
  const keyring = new Keyring(masterKeys, versions);
  keyring.registerFirst();
  const rows = new SubjectRows(database);
  for (const { version } of versions.all()) {
    const subjects = keyring.find(version) ? 0 : rows.count(version);
    if (subjects > 0) {
      throw new MasterKeyError(
        `The vault needs version ${version} of its master key too, which was not given: it wraps the keys of ${subjects} subjects.`,
      );
    }
  }
  return new SqliteVault(database, versions, keyring);
}
