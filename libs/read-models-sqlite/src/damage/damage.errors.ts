/** A file that can be read and is not what it should be. With a code of SQLite's, so that `isDamage` knows it. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  readonly code = 'SQLITE_CORRUPT';
}

/**
 * Whether an error says that a file of the lists is damaged: pages that are none, a file that is no database, or one that
 * lacks the tables that it was made with, as an empty file does. By its code, as each copy of the driver has a class of
 * its own (https://sqlite.org/rescode.html).
 */
export function isDamage(error: unknown): boolean {
  return isDamagedPage(error) || isMissingTable(error);
}

/** Pages or a whole file that are no part of a database, whatever was asked of it. */
export function isDamagedPage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(codeOf(error)));
}

/** Says that a file is damaged only where the statement is known to fit the tables: it can be our mistake as well. */
function isMissingTable(error: unknown): boolean {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return codeOf(error) === 'SQLITE_ERROR' && /no such (table|column)/.test(String(message));
}

function codeOf(error: unknown): unknown {
  return ((error ?? {}) as { readonly code?: unknown }).code;
}
