/** A readable file with wrong content. Its code is SQLite's, so that `isDamage` recognizes it. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  readonly code = 'SQLITE_CORRUPT';
}

/**
 * Whether an error can mean that a file is damaged: a page is malformed, the file is not a database, or it lacks a table
 * (as an empty file does). Compares codes, because each copy of the driver has its own error class
 * (https://sqlite.org/rescode.html).
 */
export function isDamage(error: unknown): boolean {
  return isDamagedPage(error) || isMissingTable(error);
}

/** A page is malformed or the whole file is not a database. This means damage after any statement. */
export function isDamagedPage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(codeOf(error)));
}

/** Means damage only if the statement is known to fit the tables. Otherwise it can be a bug of the program. */
function isMissingTable(error: unknown): boolean {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return codeOf(error) === 'SQLITE_ERROR' && /no such (table|column)/.test(String(message));
}

function codeOf(error: unknown): unknown {
  return ((error ?? {}) as { readonly code?: unknown }).code;
}
