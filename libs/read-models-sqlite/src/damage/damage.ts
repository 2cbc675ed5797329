/**
 * Whether an error says that a list's file is damaged: pages that are none, a file that is no database, or one that lacks
 * the tables that it was made with, as an empty file does. By its code, as each copy of the driver has a class of its own
 * (https://sqlite.org/rescode.html).
 */
export function isDamage(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(String(code))) return true;
  return code === 'SQLITE_ERROR' && /no such (table|column)/.test(String(message));
}
