/**
 * Whether an error only says that another connection has the file for the moment. By its code, of which there are several
 * (https://sqlite.org/rescode.html#busy), and not by its class: each copy of the driver has one of its own.
 */
export function isBusy(error: unknown): boolean {
  return String((error as { readonly code?: unknown } | undefined)?.code).startsWith('SQLITE_BUSY');
}
