import type { Postgres } from '@tillstream/postgres-driver';
import { loadMasterKeys, MasterKeyError, type MasterKeySource } from '../keys/master-key.js';
import type { Keyring } from '../keys/keyring.js';
import { DESTROYED } from '../keys/subject.row.js';
import { unavailableError } from '../vault.errors.js';
import type { VaultStatus } from '../vault.status.js';
import { LoadedVersions } from './loaded.rows.js';
import { PostgresVault } from './postgres.vault.js';
import { allVersions, changeVault } from './vault.transaction.js';
import { build } from './vault.tables.js';

/**
 * Opens a vault whose tables exist, or begins it with the first key as version 1 of its master key. If the first key is new
 * and the current one is configured too, the new key becomes the next version and a rotation starts.
 * @throws MasterKeyError if a key that the vault needs is not configured; nothing is written then. VaultError
 * `Unavailable` if the database can't be used.
 */
export async function openPostgresVault(
  database: Postgres,
  masterKeys: MasterKeySource,
): Promise<PostgresVault> {
  // Checked before the database is asked.
  loadMasterKeys(masterKeys);
  try {
    const subjects = await subjectsByVersion(database);
    await changeVault(database, masterKeys, {
      access: 'Alone',
      load: async () => [],
      change: ({ versions, keyring }) => {
        keyring.registerFirst();
        for (const { version } of versions.all())
          assertKeyGiven(keyring, version, subjects.get(version) ?? 0);
      },
    });
  } catch (error) {
    throw unavailableError(error);
  }
  return new PostgresVault(database, masterKeys);
}

/** As `vaultStatus`. Undefined: no vault was begun in this database, whose tables exist. @throws PostgresError */
export async function postgresVaultStatus(database: Postgres): Promise<VaultStatus | undefined> {
  const versions = new LoadedVersions(await database.all(allVersions())).all();
  if (versions.length === 0) return undefined;
  const subjects = await subjectsByVersion(database);
  return {
    versions: versions.map(({ version, registeredAt, retiredAt }) => ({
      version,
      registeredAt,
      retiredAt,
      subjects: subjects.get(version) ?? 0,
    })),
    destroyed: subjects.get(DESTROYED) ?? 0,
  };
}

/** Whether a card or a key was ever stored in this vault, destroyed ones included. @throws PostgresError */
export async function isPostgresVaultUsed(database: Pick<Postgres, 'all'>): Promise<boolean> {
  return (await database.all(build.selectFrom('vault_subjects').select('id').limit(1))).length > 0;
}

async function subjectsByVersion(database: Pick<Postgres, 'all'>): Promise<ReadonlyMap<number, number>> {
  const counted = build
    .selectFrom('vault_subjects')
    .select(({ fn }) => ['master', fn.countAll<number>().as('count')])
    .groupBy('master');
  return new Map((await database.all(counted)).map(({ master, count }) => [master, count]));
}

function assertKeyGiven(keyring: Keyring, version: number, subjects: number): void {
  if (subjects === 0 || keyring.find(version)) return;
  throw new MasterKeyError(
    `The vault needs version ${version} of its master key too, which was not given: it wraps the keys of ${subjects} subjects.`,
  );
}
