import { existsSync } from 'node:fs';
import { openDatabase } from '@tillstream/sqlite-driver';
import type { Movement } from './ledger.js';
import { withoutNulls } from './sandbox.database.js';

/** How long a read waits for another process. */
const BUSY_TIMEOUT_MS = 5_000;
const PAGE = `
  SELECT key, kind, root, original AS originalKey, merchant AS merchantId, currency, amount, at FROM movement
  WHERE key > ? ORDER BY key LIMIT 1000`;

/**
 * Every movement in a sandbox's file, ordered by key, for a command beside the service. It opens no sandbox: nothing is
 * written, and nothing that is due is executed. Holds one page. Undefined without a file.
 * @throws `SqliteError` if the file can't be read
 */
export function readMovements(file: string): Iterable<Movement> | undefined {
  return existsSync(file) ? pages(file) : undefined;
}

function* pages(file: string): Generator<Movement> {
  const db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true, readonly: true });
  try {
    const page = db.prepare<[string], Movement>(PAGE);
    for (let rows = page.all(''); rows.length > 0; rows = page.all(rows.at(-1)?.key ?? '')) {
      for (const row of rows) yield withoutNulls<Movement>(row);
    }
  } finally {
    db.close();
  }
}
