import { openDatabase } from './open.database.js';

export interface DatabaseCopyOptions {
  /** Aborted: the copy ends after the current step, and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  onProgress?(copiedBytes: number, totalBytes: number): void;
}

/** How long the first read waits for another process. */
const BUSY_TIMEOUT_MS = 5_000;
/** 4 MiB with pages of 4 KiB: a step takes some milliseconds. */
const PAGES_PER_STEP = 1_024;
/** The disk is for payments half of the time. */
const REST_PER_STEP = 1;
const REST_MS_MAX = 1_000;

const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Copies a database page by page while other processes write to it, as it is at the beginning: one transaction reads all
 * of it. Writers do not wait, and the write-ahead log of the source grows until the copy is complete. Blocks the thread most
 * of the time, so it is for commands.
 *
 * @param target an empty file, or a missing one in an existing directory; synced when the promise resolves
 * @throws `SqliteError`, and the reason of the signal
 */
export async function copyDatabase(
  file: string,
  target: string,
  { signal, onProgress = () => undefined }: DatabaseCopyOptions = {},
): Promise<void> {
  const source = openDatabase(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true, readonly: true });
  try {
    const pageBytes = Number(source.pragma('page_size', { simple: true }));
    // Without a transaction that stays open the copy would begin anew after each commit of another process.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    let stepAt = performance.now();
    await source.backup(target, {
      progress({ totalPages, remainingPages }) {
        signal?.throwIfAborted();
        onProgress((totalPages - remainingPages) * pageBytes, totalPages * pageBytes);
        rest((performance.now() - stepAt) * REST_PER_STEP);
        stepAt = performance.now();
        return PAGES_PER_STEP;
      },
    });
    source.exec('COMMIT');
  } finally {
    source.close();
  }
}

function rest(ms: number): void {
  Atomics.wait(pauseCell, 0, 0, Math.min(ms, REST_MS_MAX));
}

/** The damage that SQLite finds in a file, in its own words; undefined: none. Reads every page. */
export function findDamage(file: string): string | undefined {
  const db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  try {
    const result = String(db.pragma('quick_check(1)', { simple: true }));
    return result === 'ok' ? undefined : result;
  } finally {
    db.close();
  }
}
