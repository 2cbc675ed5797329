import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteVault } from './open-sqlite-vault.js';
import type { SqliteVault } from './sqlite.vault.js';

/** A directory for the vault of one test, and its master keys, which the test may replace. */
export interface VaultFolder {
  readonly directory: string;
  readonly file: string;
  /** The current one first. */
  masterKeys: readonly Uint8Array[];
  open(): Promise<SqliteVault>;
  remove(): void;
}

export const newMasterKey = (): Uint8Array => new Uint8Array(randomBytes(32));

export function newVaultFolder(): VaultFolder {
  const directory = mkdtempSync(join(tmpdir(), 'tillstream-vault-'));
  const file = join(directory, 'vault.db');
  const folder: VaultFolder = {
    directory,
    file,
    masterKeys: [newMasterKey()],
    open: () => openSqliteVault({ file, masterKeys: () => folder.masterKeys }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
  return folder;
}
