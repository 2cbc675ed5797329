import { withFileName, openDatabase } from '@tillstream/sqlite-driver';
import { unavailableError } from './busy.retry.js';
import { isNewVault } from './vault.database.js';

/**
 * Whether a card or a key was ever stored in this vault, destroyed ones included. Creates nothing.
 * @throws VaultError if the file can't be read or is no vault
 */
export function isVaultUsed(file: string): boolean {
  if (isNewVault(file)) return false;
  try {
    const sqlite = openDatabase(file, { timeout: 5_000, fileMustExist: true });
    try {
      return sqlite.prepare('SELECT 1 FROM subject LIMIT 1').get() !== undefined;
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw unavailableError(withFileName(error, file));
  }
}
