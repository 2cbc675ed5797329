import { repeatUntilKnown, type Postgres } from '@tillstream/postgres-driver';
import type { KeyVersion } from '../keys/key-versions.js';
import type { MasterKeySource } from '../keys/master-key.js';
import { rewrapRows, rotationState, SUBJECTS_PER_TRANSACTION, type RotationStore } from '../keys/rotation.js';
import { DESTROYED } from '../keys/subject.row.js';
import { LoadedVersions } from './loaded.rows.js';
import { allVersions, changeVault } from './vault.transaction.js';
import { build } from './vault.tables.js';

/** The rotation of a database's keys: each step is one transaction, beside which other subjects change. */
export function postgresRotation(database: Postgres, masterKeys: MasterKeySource): RotationStore {
  return {
    versions: () => repeatUntilKnown(() => storedVersions(database)),
    countOlder: () => repeatUntilKnown(async () => countOlder(database, await currentVersion(database))),
    rewrapPage: async (version, after) => {
      if (version >= (await currentVersion(database))) return undefined;
      return changeVault(database, masterKeys, {
        access: 'Shared',
        load: (session) => session.all(pageUnder(version, after)),
        change: (loaded) => rewrapRows(loaded.rows.all(), loaded),
      });
    },
    complete: (onComplete) => {
      let left = 0;
      return changeVault(database, masterKeys, {
        access: 'Alone',
        load: async (session) => {
          left = await countOlder(session, new LoadedVersions(await session.all(allVersions())).current());
          return [];
        },
        change: ({ versions, keyring }) => {
          const { version } = keyring.current();
          if (left > 0) return { version, left };
          onComplete?.(rotationState(versions).isCurrent);
          versions.retireOlder();
          return { version, left };
        },
      });
    },
  };
}

async function storedVersions(database: Pick<Postgres, 'all'>): Promise<readonly KeyVersion[]> {
  return new LoadedVersions(await database.all(allVersions())).all();
}

async function currentVersion(database: Pick<Postgres, 'all'>): Promise<number> {
  return (await storedVersions(database)).at(-1)?.version ?? 0;
}

/** Subjects under versions before this one, without those that were destroyed. */
async function countOlder(database: Pick<Postgres, 'all'>, current: number): Promise<number> {
  const counted = build.selectFrom('vault_subjects').select(({ fn }) => fn.countAll<number>().as('count'));
  const [row] = await database.all(counted.where('master', '!=', DESTROYED).where('master', '<', current));
  return row?.count ?? 0;
}

function pageUnder(version: number, after: number) {
  return build
    .selectFrom('vault_subjects')
    .selectAll()
    .where('master', '=', version)
    .where('id', '>', after)
    .orderBy('id')
    .limit(SUBJECTS_PER_TRANSACTION)
    .forUpdate();
}
