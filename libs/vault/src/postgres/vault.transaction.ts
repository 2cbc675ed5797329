import { sql } from 'kysely';
import { repeatUntilKnown, type Postgres, type PostgresSession } from '@tillstream/postgres-driver';
import { Keyring } from '../keys/keyring.js';
import type { MasterKeySource } from '../keys/master-key.js';
import { SubjectKeys } from '../keys/subject.keys.js';
import { LoadedRows, LoadedVersions } from './loaded.rows.js';
import { build, type StoredSubject } from './vault.tables.js';

/** What one change of the vault works on: all of it is loaded, so that the change itself does not wait. */
export interface LoadedVault {
  readonly rows: LoadedRows;
  readonly keys: SubjectKeys;
  readonly versions: LoadedVersions;
  readonly keyring: Keyring;
}

/** `Shared`: a change of subjects. `Alone`: a change of the register of master keys, which no other change may overlap. */
type Access = 'Shared' | 'Alone';

/** Any number that no other lock of the database has. */
const VAULT_LOCK = 5_427_860_912;

interface VaultChange<T> {
  readonly access: Access;
  /** The rows that `change` may read and write. */
  load(session: PostgresSession): Promise<readonly StoredSubject[]>;
  change(loaded: LoadedVault): T;
}

/**
 * Runs a change in one transaction, on rows that no other process changes meanwhile, and writes what it changed. The change
 * may run several times, also after a commit whose answer was lost.
 */
export function changeVault<T>(
  database: Postgres,
  masterKeys: MasterKeySource,
  { access, load, change }: VaultChange<T>,
): Promise<T> {
  return repeatUntilKnown(() =>
    database.transaction(async (session) => {
      await lock(session, access);
      const rows = new LoadedRows(await load(session));
      const versions = new LoadedVersions(await session.all(allVersions()));
      const keyring = new Keyring(masterKeys, versions);
      const result = change({ rows, keys: new SubjectKeys(rows, keyring), versions, keyring });
      await rows.write(session);
      await versions.write(session);
      return result;
    }),
  );
}

export function allVersions() {
  return build.selectFrom('vault_master_keys').selectAll().orderBy('version');
}

export function subjectsNamed(names: readonly string[]) {
  return build.selectFrom('vault_subjects').selectAll().where('name', 'in', names);
}

/** Ends with the transaction. */
async function lock(session: PostgresSession, access: Access): Promise<void> {
  const key = sql`${VAULT_LOCK}::bigint`;
  const shared = sql`pg_advisory_xact_lock_shared(${key})`;
  const alone = sql`pg_advisory_xact_lock(${key})`;
  await session.all(build.selectNoFrom((access === 'Shared' ? shared : alone).as('locked')));
}
