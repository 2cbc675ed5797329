/**
 * Returns the same error with the file's name in its message: "file is not a database" does not say which file. Checks the
 * code and not the class, as `isBusy` does.
 */
export function withFileName(error: unknown, file: string): unknown {
  const fault = (error ?? {}) as { readonly code?: unknown; message?: unknown };
  if (!String(fault.code).startsWith('SQLITE_') || typeof fault.message !== 'string') return error;
  if (!fault.message.includes(file)) fault.message = `${file}: ${fault.message}`;
  return error;
}
