import { ConfigError } from '../configuration/setting.kinds.js';

/**
 * Opens a file of the data directory.
 * @throws ConfigError if the file is damaged; any other error is thrown unchanged
 */
export async function withDamageCheck<T>(file: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const damage = findDamage(error);
    if (damage === undefined) throw error;
    throw new ConfigError(
      `${file} is damaged (${damage}): stop every process of the service, move the data directory away as a whole, and restore a backup into a new one (docs/operations.md).`,
    );
  }
}

/**
 * Searches an error and its causes for SQLite's message about a damaged file. Compares codes and messages, because each copy
 * of the driver has its own error class.
 */
function findDamage(error: unknown): string | undefined {
  let current = error;
  while (typeof current === 'object' && current !== null) {
    const { code, message, cause } = current as Readonly<Record<'code' | 'message' | 'cause', unknown>>;
    const damage = DAMAGE.exec(String(message))?.[0];
    if (damage !== undefined) return damage;
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(String(code))) return String(code);
    current = cause;
  }
  return undefined;
}

const DAMAGE =
  /database disk image is malformed|file is not a database|malformed database schema|is no vault|holds no event store/;
