import type { openDatabase } from '@tillstream/sqlite-driver';
import type { PartSum } from '@tillstream/ledger';

type Database = ReturnType<typeof openDatabase>;

const PAGE_ROWS = 1_000;

/** `part` orders the rows of a payment or of a record. */
const SCHEMA = `
  CREATE TABLE payment_row (kind TEXT, root TEXT, part TEXT, data TEXT, PRIMARY KEY (kind, root, part)) WITHOUT ROWID;
  CREATE TABLE record (kind TEXT, id TEXT, part INTEGER, data TEXT, PRIMARY KEY (kind, id, part)) WITHOUT ROWID;
  CREATE TABLE sums (
    scope TEXT, id TEXT, part TEXT, count INTEGER, amount INTEGER, PRIMARY KEY (scope, id, part)
  ) WITHOUT ROWID;
`;

export interface PaymentRow {
  readonly root: string;
  readonly part: string;
  readonly data: string;
}

export interface StoredRecord<Data> {
  readonly id: string;
  readonly part: number;
  readonly data: Data;
}

/** Makes the tables and prepares all statements. */
export function prepareWorkingFile(db: Database) {
  db.exec(SCHEMA);
  type RecordRow = StoredRecord<string>;
  const records = 'SELECT id, part, data FROM record WHERE kind = ?';
  return {
    put: db.prepare('INSERT OR REPLACE INTO payment_row (kind, root, part, data) VALUES (?, ?, ?, ?)'),
    rows: db.prepare<[string, string, string], PaymentRow>(
      `SELECT root, part, data FROM payment_row WHERE kind = ? AND (root, part) > (?, ?) ORDER BY root, part LIMIT ${PAGE_ROWS}`,
    ),
    putRecord: db.prepare('INSERT OR REPLACE INTO record (kind, id, part, data) VALUES (?, ?, ?, ?)'),
    records: db.prepare<[string, string, number], RecordRow>(
      `${records} AND (id, part) > (?, ?) ORDER BY id, part LIMIT ${PAGE_ROWS}`,
    ),
    recordsOf: db.prepare<[string, string], RecordRow>(`${records} AND id = ? ORDER BY part`),
    recordAt: db
      .prepare<[string, string, number], string>(
        'SELECT data FROM record WHERE kind = ? AND id = ? AND part = ?',
      )
      .pluck(),
    recordsAfter: db.prepare<[string, string, number], RecordRow>(
      `${records} AND id = ? AND part > ? ORDER BY part LIMIT ${PAGE_ROWS}`,
    ),
    addSum: db.prepare(
      `INSERT INTO sums (scope, id, part, count, amount) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count, amount = amount + excluded.amount`,
    ),
    sumsOf: db.prepare<[string, string], { part: string; count: number; amount: number }>(
      'SELECT part, count, amount FROM sums WHERE scope = ? AND id = ?',
    ),
    nextSumId: db
      .prepare<[string, string], string>('SELECT id FROM sums WHERE scope = ? AND id > ? ORDER BY id LIMIT 1')
      .pluck(),
  };
}
