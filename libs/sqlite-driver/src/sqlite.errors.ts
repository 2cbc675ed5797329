/**
 * The code of an error, such as SQLITE_IOERR_FSYNC (https://sqlite.org/rescode.html); empty if it has none. Does not check
 * the class, because each copy of the driver has an error class of its own.
 */
export function errorCode(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** Whether another connection has locked the file for the moment. */
export function isBusy(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_BUSY');
}

/** Returns the same error with the file's name in its message: "file is not a database" does not say which file. */
export function withFileName(error: unknown, file: string): unknown {
  const fault = error as { message?: unknown };
  if (!errorCode(error).startsWith('SQLITE_') || typeof fault.message !== 'string') return error;
  if (!fault.message.includes(file)) fault.message = `${file}: ${fault.message}`;
  return error;
}
