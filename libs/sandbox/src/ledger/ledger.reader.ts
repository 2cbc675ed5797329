import { existsSync } from 'node:fs';
import { openDatabase } from '@tillstream/sqlite-driver';
import { dailyRows, type DailyRange, type DailyRow } from '../daily-file/daily-file.rows.js';
import type { Movement } from './ledger.js';
import { withoutNulls } from './sandbox.database.js';

export interface BookedMovement extends Movement {
  /** Of a return: the service has not acknowledged the bank's notice yet. */
  readonly noticeUnderWay: boolean;
}

/** How long a read waits for another process. */
const BUSY_TIMEOUT_MS = 5_000;
const PAGE = `
  SELECT key, kind, root, original AS originalKey, merchant AS merchantId, currency, amount, at,
    kind = 'Returned' AND EXISTS (SELECT 1 FROM bank_message WHERE bank_message.key = movement.original) AS noticeUnderWay
  FROM movement
  WHERE key > ? ORDER BY key LIMIT 1000`;

/**
 * Every movement in a sandbox's file, ordered by key, for a command beside the service. It opens no sandbox: nothing is
 * written, and nothing that is due is executed. Holds one page. Undefined without a file.
 * @throws `SqliteError` if the file can't be read
 */
export function readMovements(file: string): Iterable<BookedMovement> | undefined {
  return existsSync(file) ? pages(file) : undefined;
}

/**
 * The rows of the daily file of a sandbox in this process, for a command beside the service. As `readMovements`: nothing that
 * is due is executed.
 */
export function readDailyRows(file: string, range: DailyRange): Iterable<DailyRow> | undefined {
  return existsSync(file) ? rowsOfDay(file, range) : undefined;
}

function* rowsOfDay(file: string, range: DailyRange): Generator<DailyRow> {
  const db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true, readonly: true });
  try {
    yield* dailyRows(db, range);
  } finally {
    db.close();
  }
}

function* pages(file: string): Generator<BookedMovement> {
  const db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true, readonly: true });
  try {
    const page = db.prepare<[string], Movement & { noticeUnderWay: number }>(PAGE);
    for (let rows = page.all(''); rows.length > 0; rows = page.all(rows.at(-1)?.key ?? '')) {
      for (const row of rows) {
        yield { ...withoutNulls<Movement>(row), noticeUnderWay: row.noticeUnderWay === 1 };
      }
    }
  } finally {
    db.close();
  }
}
