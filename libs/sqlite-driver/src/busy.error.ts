/**
 * Whether another connection has locked the file for the moment (https://sqlite.org/rescode.html#busy). Checks the code and
 * not the class, because each copy of the driver has an error class of its own.
 */
export function isBusy(error: unknown): boolean {
  return String((error as { readonly code?: unknown } | undefined)?.code).startsWith('SQLITE_BUSY');
}
