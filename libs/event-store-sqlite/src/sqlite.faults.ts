import { EventStoreError } from '@tillstream/event-store';

/**
 * Whether the error speaks of the file or the disk and not of one statement: then no unit of the group can be
 * written. (https://sqlite.org/rescode.html)
 */
export function isStorageFault(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|CANTOPEN|NOTADB|NOMEM|BUSY|LOCKED|PROTOCOL|INTERRUPT|PERM|AUTH|NOLFS)/.test(
    sqliteCode(error),
  );
}

/** An index that is to be unique has it already; nothing of the statement was written. */
export function isUniqueViolation(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_CONSTRAINT_UNIQUE';
}

/** SQLite's own code, with the extension, such as SQLITE_IOERR_FSYNC; empty if the error is not SQLite's. */
export function sqliteCode(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** What it says and SQLite's code for it. Not by its class: a test's sandbox has an `Error` of its own. */
export function describeFault(error: unknown): string {
  const code = sqliteCode(error);
  const message = String((error as { message?: unknown } | undefined)?.message ?? error);
  return code === '' ? message : `${message} (${code})`;
}

/** What is thrown when the store's file can't be opened; it names the file, once, whoever noticed. */
export function cannotOpenError(error: unknown, file: string): EventStoreError {
  if (error instanceof EventStoreError) return error;
  const fault = describeFault(error).replace(`${file}: `, '');
  return new EventStoreError('Unavailable', `${file} can't be opened: ${fault}`, { cause: error });
}
