/**
 * The same error, with the file in what it says: of several files, "file is not a database" is no help to anybody. By its
 * code and not its class, as `isBusy`.
 */
export function withFileName(error: unknown, file: string): unknown {
  const fault = (error ?? {}) as { readonly code?: unknown; message?: unknown };
  if (!String(fault.code).startsWith('SQLITE_') || typeof fault.message !== 'string') return error;
  if (!fault.message.includes(file)) fault.message = `${file}: ${fault.message}`;
  return error;
}
