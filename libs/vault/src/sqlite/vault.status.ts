import { KeyVersions } from '../keys/key-versions.js';
import { retryWhileBusy } from './busy.retry.js';
import { DESTROYED } from '../keys/subject.row.js';
import { SubjectRows } from './subject.rows.js';
import type { VaultStatus } from '../vault.status.js';
import { isNewVault, VaultDatabase } from './vault.database.js';

/** Reads the status from a vault's file, without any key. Undefined: there is no vault yet. */
export async function vaultStatus(file: string): Promise<VaultStatus | undefined> {
  if (await retryWhileBusy(() => isNewVault(file))) return undefined;
  const database = await retryWhileBusy(() => new VaultDatabase(file));
  try {
    const rows = new SubjectRows(database);
    const versions = new KeyVersions(database);
    return await retryWhileBusy(() =>
      database.transaction(() => ({
        versions: versions.all().map(({ version, registeredAt, retiredAt }) => ({
          version,
          registeredAt,
          retiredAt,
          subjects: rows.count(version),
        })),
        destroyed: rows.count(DESTROYED),
      })),
    );
  } finally {
    database.close();
  }
}
