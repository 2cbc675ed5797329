import { ConfigError } from '../configuration/setting.kinds.js';

/**
 * Runs what opens a file of the data directory. @throws ConfigError where the file is damaged; every other error passes as
 * it is
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
 * What SQLite says of a damaged file, found along the causes of an error; undefined where it says nothing of that. By its
 * code and by what our own errors repeat of it, as each copy of the driver has a class of its own.
 */
function findDamage(error: unknown): string | undefined {
  for (let at = error; typeof at === 'object' && at !== null; at = causeOf(at)) {
    const { code, message } = at as { readonly code?: unknown; readonly message?: unknown };
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(String(code)))
      return DAMAGE.exec(String(message))?.[0] ?? String(code);
    const said = DAMAGE.exec(String(message))?.[0];
    if (said !== undefined) return said;
  }
  return undefined;
}

const DAMAGE =
  /database disk image is malformed|file is not a database|malformed database schema|is no vault|holds no event store/;

const causeOf = (error: object): unknown => (error as { readonly cause?: unknown }).cause;
