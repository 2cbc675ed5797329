import { randomUUID } from 'node:crypto';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import type { SqliteEventStore, SqlValue, WriteStep } from '@tillstream/event-store-sqlite';
import type {
  CountedFact,
  WorkQueue,
  UnknownOutcomesQuery,
  UnknownOutcomeCount,
  WorkItem,
  WorkItemChange,
  WorkKind,
} from '@tillstream/payments';

/** Items that can be unknown outcomes. SQLite uses the partial index only for a query with this same text. */
const MAY_BE_UNKNOWN = `(kind = 'Outcome' OR (kind = 'Answer' AND due_at IS NULL))`;

const SCHEMA = [
  `CREATE TABLE open_work (
     id TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     operation_id TEXT NOT NULL,
     merchant_id TEXT,
     clock TEXT NOT NULL,
     due_at INTEGER,
     step INTEGER NOT NULL,
     since INTEGER NOT NULL,
     claim TEXT,
     claimed_until INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID`,
  'CREATE INDEX open_work_due ON open_work (clock, due_at)',
  'CREATE INDEX open_work_kind ON open_work (kind, id)',
  'CREATE TABLE open_work_checkpoint (one INTEGER PRIMARY KEY CHECK (one = 1), position TEXT)',
  'CREATE TABLE open_work_lease (one INTEGER PRIMARY KEY CHECK (one = 1), holder TEXT NOT NULL, until INTEGER NOT NULL)',
  'ALTER TABLE open_work ADD COLUMN interrupted INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX open_work_since ON open_work (kind, since, id)',
  'CREATE TABLE open_work_counts (what TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID',
  'ALTER TABLE open_work_checkpoint ADD COLUMN last_stream TEXT',
  'ALTER TABLE open_work_checkpoint ADD COLUMN last_revision INTEGER',
  'ALTER TABLE open_work_checkpoint ADD COLUMN last_position TEXT',
  'DROP TABLE open_work_lease',
  'DROP INDEX open_work_since',
  `CREATE INDEX open_work_unknown ON open_work (since, operation_id) WHERE ${MAY_BE_UNKNOWN}`,
];

const DUE = `due_at IS NOT NULL AND ((clock = 'Service' AND due_at <= ?) OR (clock = 'Real' AND due_at <= ?))`;
/** `operation_id` is the subject, which is not always an operation. */
const ITEM =
  'id, kind, operation_id AS subject, merchant_id AS merchantId, clock, due_at AS dueAt, step, since, interrupted';
/** Repeated inquiries are scheduled by the service's clock. By then the client has been answered `Interrupted`. */
const UNKNOWN = `${MAY_BE_UNKNOWN} AND (interrupted = 1 OR clock = 'Service' OR due_at <= ?)`;

/** Without the hint SQLite reads and sorts all items of both kinds, however low the limit is. */
const FROM_UNKNOWN_INDEX = 'open_work INDEXED BY open_work_unknown';

const PUT = `INSERT INTO open_work
    (id, kind, operation_id, merchant_id, clock, due_at, step, since, interrupted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET clock = excluded.clock, due_at = excluded.due_at, step = excluded.step,
    since = excluded.since, interrupted = excluded.interrupted, claim = NULL, claimed_until = 0`;
const REMOVE = 'DELETE FROM open_work WHERE id = ?';
const REMOVE_SAME = 'DELETE FROM open_work WHERE id = ? AND since = ? AND due_at IS ? AND step = ?';
/** Compare-and-swap: inserts the first checkpoint, and moves a later one only from the position that the caller read. */
const FIRST_CHECKPOINT = `INSERT INTO open_work_checkpoint (one, position, last_stream, last_revision, last_position)
  VALUES (1, ?, ?, ?, ?) ON CONFLICT (one) DO NOTHING`;
const NEXT_CHECKPOINT = `UPDATE open_work_checkpoint
  SET position = ?, last_stream = ?, last_revision = ?, last_position = ? WHERE one = 1 AND position = ?`;
const CLAIM = `UPDATE open_work SET claim = ?, claimed_until = ? WHERE id IN
  (SELECT id FROM open_work WHERE ${DUE} AND claimed_until <= ? ORDER BY due_at LIMIT ?)`;
const CLAIM_ONE = 'UPDATE open_work SET claim = ?, claimed_until = ? WHERE id = ? AND claimed_until <= ?';
const COUNT = `INSERT INTO open_work_counts (what, count) VALUES (?, ?)
  ON CONFLICT (what) DO UPDATE SET count = count + excluded.count`;
const RESCHEDULE = `UPDATE open_work SET clock = ?, due_at = ?, step = ?, claim = NULL, claimed_until = 0 WHERE id = ?`;

/** Empties the tables: afterwards they are fed from the first event. */
export const RESET_STEPS: readonly WriteStep[] = [
  { kind: 'run', sql: 'DELETE FROM open_work' },
  { kind: 'run', sql: 'DELETE FROM open_work_checkpoint' },
  { kind: 'run', sql: 'DELETE FROM open_work_counts' },
];

interface Row extends Omit<WorkItem, 'merchantId' | 'interrupted'> {
  readonly merchantId: string | null;
  readonly interrupted: 0 | 1;
}

/** Keeps the table in the file of the events, whose writer syncs both together. It can be fed again from the events. */
export async function openSqliteWorkQueue(store: SqliteEventStore): Promise<WorkQueue> {
  await store.migrate('open_work', SCHEMA);
  return new SqliteWorkQueue(store);
}

/** For a store that may be open for reading only. Undefined if no service or only an older one has created the table. */
export function inspectSqliteWorkQueue(store: SqliteEventStore): WorkQueue | undefined {
  const parts = store.query(
    "SELECT 1 FROM sqlite_schema WHERE name IN ('open_work', 'open_work_counts', 'open_work_unknown')",
  );
  return parts.length === 3 ? new SqliteWorkQueue(store) : undefined;
}

/** The last event that the table was fed. The file's tables must be up to date. */
export function openWorkWitness(store: SqliteEventStore): HistoryWitness | undefined {
  return store.query<HistoryWitness>(
    `SELECT last_stream AS stream, last_revision AS revision, last_position AS position FROM open_work_checkpoint
      WHERE last_stream IS NOT NULL`,
  )[0];
}

class SqliteWorkQueue implements WorkQueue {
  constructor(private readonly store: SqliteEventStore) {}

  async checkpoint(): ReturnType<WorkQueue['checkpoint']> {
    const [row] = this.store.query<{ position: Position }>(
      'SELECT position FROM open_work_checkpoint WHERE position IS NOT NULL',
    );
    return row && { position: row.position, witness: openWorkWitness(this.store) };
  }

  async advance(
    changes: readonly WorkItemChange[],
    from: Position | undefined,
    { stream, revision, position }: HistoryWitness,
  ): Promise<boolean> {
    const target = [position, stream, revision, position];
    const [sql, params] =
      from === undefined ? [FIRST_CHECKPOINT, target] : [NEXT_CHECKPOINT, [...target, from]];
    const checkpoint: WriteStep = { kind: 'run', sql, params, mustChange: true };
    const unit = await this.store.execute([checkpoint, ...changes.map(toStep)]);
    return unit.kind === 'Done';
  }

  async reset(): Promise<void> {
    await this.store.execute(RESET_STEPS);
  }

  async claimDue(
    { service, real }: { readonly service: number; readonly real: number },
    limit: number,
    leaseMs: number,
  ): Promise<WorkItem[]> {
    const isDue = `SELECT 1 FROM open_work WHERE ${DUE} AND claimed_until <= ? LIMIT 1`;
    if (this.store.query(isDue, [service, real, real]).length === 0) return [];
    const claim = randomUUID();
    const params = [claim, real + leaseMs, service, real, real, limit];
    await this.store.execute([{ kind: 'run', sql: CLAIM, params }]);
    return this.store
      .query<Row>(`SELECT ${ITEM} FROM open_work WHERE claim = ? ORDER BY due_at`, [claim])
      .map(toWork);
  }

  async reschedule(
    id: string,
    { clock, dueAt, step }: Pick<WorkItem, 'clock' | 'dueAt' | 'step'>,
  ): Promise<void> {
    await this.store.execute([{ kind: 'run', sql: RESCHEDULE, params: [clock, dueAt, step, id] }]);
  }

  async remove({ id, since, dueAt, step }: WorkItem): Promise<void> {
    await this.store.execute([{ kind: 'run', sql: REMOVE_SAME, params: [id, since, dueAt, step] }]);
  }

  async find(id: string): Promise<WorkItem | undefined> {
    return this.store.query<Row>(`SELECT ${ITEM} FROM open_work WHERE id = ?`, [id]).map(toWork)[0];
  }

  async list(kind: WorkKind, after: string | undefined, limit: number): Promise<WorkItem[]> {
    const sql = `SELECT ${ITEM} FROM open_work WHERE kind = ? AND id > ? ORDER BY id LIMIT ?`;
    return this.store.query<Row>(sql, [kind, after ?? '', limit]).map(toWork);
  }

  async countDue({ service, real }: { readonly service: number; readonly real: number }): Promise<number> {
    return this.count(`SELECT count(*) AS count FROM open_work WHERE ${DUE}`, [service, real]);
  }

  async claim(id: string, realNow: number, leaseMs: number): Promise<WorkItem | undefined> {
    const claim = randomUUID();
    const params = [claim, realNow + leaseMs, id, realNow];
    const step: WriteStep = { kind: 'run', sql: CLAIM_ONE, params, mustChange: true };
    if ((await this.store.execute([step])).kind !== 'Done') return undefined;
    return this.find(id);
  }

  async unknownOutcomes({ dueBy, merchantIds, after, limit }: UnknownOutcomesQuery): Promise<WorkItem[]> {
    if (merchantIds?.length === 0) return [];
    const ofMerchants = merchantIds ? ` AND merchant_id IN (${merchantIds.map(() => '?').join(', ')})` : '';
    const sql = `SELECT ${ITEM} FROM ${FROM_UNKNOWN_INDEX} WHERE ${UNKNOWN}${ofMerchants}
      AND (since, operation_id) > (?, ?) ORDER BY since, operation_id LIMIT ?`;
    const place = [after?.since ?? Number.MIN_SAFE_INTEGER, after?.subject ?? ''];
    return this.store.query<Row>(sql, [dueBy, ...(merchantIds ?? []), ...place, limit]).map(toWork);
  }

  async countUnknown(dueBy: number, countMax: number): Promise<UnknownOutcomeCount> {
    const counted = `SELECT since, due_at FROM ${FROM_UNKNOWN_INDEX} WHERE ${UNKNOWN} ORDER BY since, operation_id LIMIT ?`;
    const [row] = this.store.query<{ count: number; oldest: number | null; givenUp: number }>(
      `SELECT count(*) AS count, min(since) AS oldest, count(*) FILTER (WHERE due_at IS NULL) AS givenUp FROM (${counted})`,
      [dueBy, countMax],
    );
    return { count: row?.count ?? 0, oldestSince: row?.oldest ?? undefined, givenUp: row?.givenUp ?? 0 };
  }

  async countOf(what: CountedFact): Promise<number> {
    return this.count('SELECT count FROM open_work_counts WHERE what = ?', [what]);
  }

  private count(sql: string, params: readonly SqlValue[]): number {
    return this.store.query<{ count: number }>(sql, params)[0]?.count ?? 0;
  }
}

function toStep(change: WorkItemChange): WriteStep {
  if (change.kind === 'Remove') return { kind: 'run', sql: REMOVE, params: [change.id] };
  if (change.kind === 'Count') return { kind: 'run', sql: COUNT, params: [change.what, change.by] };
  const { id, kind, subject, merchantId, clock, dueAt, step, since, interrupted } = change.work;
  return {
    kind: 'run',
    sql: PUT,
    params: [id, kind, subject, merchantId ?? null, clock, dueAt, step, since, interrupted ? 1 : 0],
  };
}

function toWork({ merchantId, interrupted, ...work }: Row): WorkItem {
  return {
    ...work,
    ...(merchantId !== null && { merchantId }),
    ...(interrupted === 1 && { interrupted: true }),
  };
}
