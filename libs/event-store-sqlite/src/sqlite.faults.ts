import { EventStoreError } from '@tillstream/event-store';
import { errorCode } from '@tillstream/sqlite-driver';

/** Whether the file or the disk has a fault (https://sqlite.org/rescode.html), so that no unit of a group can be written. */
export function isStorageFault(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|CANTOPEN|NOTADB|NOMEM|BUSY|LOCKED|PROTOCOL|INTERRUPT|PERM|AUTH|NOLFS)/.test(
    errorCode(error),
  );
}

/** The message with SQLite's code. Does not check the class, because a jest sandbox has an `Error` of its own. */
export function describeFault(error: unknown): string {
  const code = errorCode(error);
  const message = String((error as { message?: unknown } | undefined)?.message ?? error);
  return code === '' ? message : `${message} (${code})`;
}

/** The error for a store file that can't be opened. It names the file once. */
export function cannotOpenError(error: unknown, file: string): EventStoreError {
  if (error instanceof EventStoreError) return error;
  const fault = describeFault(error).replace(`${file}: `, '');
  return new EventStoreError('Unavailable', `${file} can't be opened: ${fault}`, { cause: error });
}
