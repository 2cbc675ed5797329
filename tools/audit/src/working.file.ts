import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SettledItem } from '@tillstream/domain';
import type { ExpectedMovementKind, MoneyEvent, PartSum } from '@tillstream/ledger';
import { openDatabase } from '@tillstream/sqlite-driver';
import { Groups, type PaymentRow } from './row.groups.js';

/** An item as a page of a settlement has it. */
export interface FoundItem extends Pick<
  SettledItem,
  'operationId' | 'type' | 'returnId' | 'chargebackId' | 'amount' | 'channel' | 'cardType' | 'fee'
> {
  readonly settlementId: string;
  readonly batchId: string;
}

/** A movement of money as a processor has it. */
export interface FoundMovement {
  readonly processor: string;
  readonly key: string;
  readonly kind: ExpectedMovementKind;
  readonly amount: number;
  /** Real time, ms. */
  readonly at: number;
  /** The bank's notice of it was not delivered yet. */
  readonly noticeUnderWay: boolean;
}

/** Everything about one payment. */
export interface PaymentRecords {
  /** 23 characters, in the ids of its operations. */
  readonly root: string;
  readonly events: readonly MoneyEvent[];
  readonly items: readonly FoundItem[];
  readonly movements: readonly FoundMovement[];
}

type Kind = 'fact' | 'item' | 'movement';

const PAGE_ROWS = 1_000;
const SUMS_IN_MEMORY_MAX = 20_000;
const CACHE_KIB = 65_536;

/** `part` orders the rows of a payment or of a record. */
const SCHEMA = `
  CREATE TABLE payment_row (kind TEXT, root TEXT, part TEXT, data TEXT, PRIMARY KEY (kind, root, part)) WITHOUT ROWID;
  CREATE TABLE record (kind TEXT, id TEXT, part INTEGER, data TEXT, PRIMARY KEY (kind, id, part)) WITHOUT ROWID;
  CREATE TABLE sums (
    scope TEXT, id TEXT, part TEXT, count INTEGER, amount INTEGER, PRIMARY KEY (scope, id, part)
  ) WITHOUT ROWID;
`;

export interface StoredRecord<Data> {
  readonly id: string;
  readonly part: number;
  readonly data: Data;
}

/**
 * A temporary SQLite file that sorts a history by payment and by settlement, so that memory does not grow with it. It holds
 * ids, times and amounts, and is removed at the end. About 1.7 kB for a sale.
 */
export class WorkingFile {
  private readonly directory: string;
  private readonly db: ReturnType<typeof openDatabase>;
  private readonly statements: ReturnType<typeof prepare>;
  private readonly pending = new Map<string, { count: number; amount: number }>();

  /** @param parent an existing directory with enough room */
  constructor(parent: string) {
    this.directory = mkdtempSync(join(parent, 'tillstream-audit-'));
    this.db = openDatabase(join(this.directory, 'audit.db'));
    // It is made anew by the next run, so it needs neither a journal nor the disk.
    this.db.pragma('journal_mode = OFF');
    this.db.pragma('synchronous = OFF');
    this.db.pragma(`cache_size = -${CACHE_KIB}`);
    this.db.exec(SCHEMA);
    this.statements = prepare(this.db);
  }

  close(): void {
    this.db.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Runs writes in one transaction, which is much faster. */
  together(work: () => void): void {
    this.db.exec('BEGIN');
    work();
    this.db.exec('COMMIT');
  }

  addEvent(root: string, event: MoneyEvent): void {
    this.put('fact', root, String(event.place).padStart(16, '0'), event);
  }

  addItem(root: string, place: string, item: FoundItem): void {
    this.put('item', root, place, item);
  }

  addMovement(root: string, movement: FoundMovement): void {
    this.put('movement', root, `${movement.processor} ${movement.key}`, movement);
  }

  /** Each payment that has an event, an item or a movement, in the order of its root. */
  *payments(): Generator<PaymentRecords> {
    const facts = new Groups<MoneyEvent>(this.rows('fact'));
    const items = new Groups<FoundItem>(this.rows('item'));
    const movements = new Groups<FoundMovement>(this.rows('movement'));
    for (;;) {
      const [root] = [facts.root, items.root, movements.root]
        .filter((one) => one !== undefined)
        .sort((a, b) => (a < b ? -1 : 1));
      if (root === undefined) return;
      yield { root, events: facts.take(root), items: items.take(root), movements: movements.take(root) };
    }
  }

  putRecord(kind: string, id: string, part: number, data: object): void {
    this.statements.putRecord.run(kind, id, part, JSON.stringify(data));
  }

  /** All records of a kind, ordered by id and part. */
  *records<Data>(kind: string): Generator<StoredRecord<Data>> {
    let [id, part] = ['', -1];
    for (;;) {
      const rows = this.statements.records.all(kind, id, part);
      for (const row of rows) yield { ...row, data: JSON.parse(row.data) as Data };
      const last = rows.at(-1);
      if (!last) return;
      ({ id, part } = last);
    }
  }

  recordAt<Data>(kind: string, id: string, part: number): Data | undefined {
    const data = this.statements.recordAt.get(kind, id, part);
    return data === undefined ? undefined : (JSON.parse(data) as Data);
  }

  /** The records of one id, by part. */
  recordsOf<Data>(kind: string, id: string): StoredRecord<Data>[] {
    const rows = this.statements.recordsOf.all(kind, id);
    return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as Data }));
  }

  /** The records of one id from a part on, read page by page. */
  *recordsAfter<Data>(kind: string, id: string, after: number): Generator<StoredRecord<Data>> {
    let part = after;
    for (;;) {
      const rows = this.statements.recordsAfter.all(kind, id, part);
      for (const row of rows) yield { ...row, data: JSON.parse(row.data) as Data };
      const last = rows.at(-1);
      if (!last) return;
      ({ part } = last);
    }
  }

  addSum(scope: string, id: string, part: string, amount: number): void {
    const key = `${scope}\n${id}\n${part}`;
    const { count, amount: before } = this.pending.get(key) ?? { count: 0, amount: 0 };
    this.pending.set(key, { count: count + 1, amount: before + amount });
    if (this.pending.size >= SUMS_IN_MEMORY_MAX) this.writeSums();
  }

  sumsOf(scope: string, id: string): Partial<Record<string, PartSum>> {
    this.writeSums();
    const rows = this.statements.sumsOf.all(scope, id);
    return Object.fromEntries(rows.map(({ part, count, amount }) => [part, { count, amount }]));
  }

  /** The ids with sums in a scope, ordered. */
  *sumIds(scope: string): Generator<string> {
    this.writeSums();
    let id = '';
    for (;;) {
      const next = this.statements.nextSumId.get(scope, id);
      if (next === undefined) return;
      yield next;
      id = next;
    }
  }

  private writeSums(): void {
    if (this.pending.size === 0) return;
    this.together(() => {
      for (const [key, { count, amount }] of this.pending) {
        this.statements.addSum.run(...key.split('\n'), count, amount);
      }
    });
    this.pending.clear();
  }

  private put(kind: Kind, root: string, part: string, data: object): void {
    this.statements.put.run(kind, root, part, JSON.stringify(data));
  }

  private *rows(kind: Kind): Generator<PaymentRow> {
    let [root, part] = ['', ''];
    for (;;) {
      const rows = this.statements.rows.all(kind, root, part);
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      ({ root, part } = last);
    }
  }
}

function prepare(db: ReturnType<typeof openDatabase>) {
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
