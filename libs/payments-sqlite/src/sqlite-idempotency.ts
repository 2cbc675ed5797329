import type { OperationId } from '@tillstream/domain';
import type { Append, EventStore } from '@tillstream/event-store';
import type { SqliteEventStore, WriteStep } from '@tillstream/event-store-sqlite';
import { reserveThenAppend, type IdempotencyRecord, type IdempotencyStore } from '@tillstream/payments';

const SCHEMA = [
  `CREATE TABLE idempotency_keys (
     merchant_id TEXT NOT NULL,
     key TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     command_id TEXT NOT NULL,
     stream TEXT NOT NULL,
     reserved_at INTEGER NOT NULL,
     answer BLOB,
     PRIMARY KEY (merchant_id, key)
   ) WITHOUT ROWID`,
  'CREATE INDEX idempotency_keys_age ON idempotency_keys (reserved_at)',
  'ALTER TABLE idempotency_keys ADD COLUMN operation_id TEXT',
];

const RECORDS = `SELECT merchant_id AS merchantId, key, fingerprint, command_id AS commandId, stream,
  reserved_at AS reservedAt, answer AS response, operation_id AS operationId FROM idempotency_keys`;
/** Repeating the same reservation, because its result was lost, succeeds. */
const RESERVE = `INSERT INTO idempotency_keys (merchant_id, key, fingerprint, command_id, stream, reserved_at, operation_id)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (merchant_id, key) DO UPDATE SET stream = excluded.stream, operation_id = excluded.operation_id
  WHERE command_id = excluded.command_id`;
const FORGET = 'DELETE FROM idempotency_keys WHERE merchant_id = ? AND key = ? AND command_id = ?';
const KEEP = `UPDATE idempotency_keys SET answer = ?
  WHERE merchant_id = ? AND key = ? AND command_id = ? AND answer IS NULL`;
/** In the order of the index `idempotency_keys_age`, which ends with the primary key, so it reads no young keys. */
const LIST = `${RECORDS} WHERE reserved_at < ? AND (reserved_at, merchant_id, key) > (?, ?, ?) AND answer IS NOT NULL
  ORDER BY reserved_at, merchant_id, key`;

interface Row extends Omit<IdempotencyRecord, 'response' | 'operationId'> {
  readonly response: Uint8Array | null;
  readonly operationId: OperationId | null;
}

/**
 * Idempotency keys in an SQLite file. If the events are in the same file (the default of `events`), one commit writes both
 * the reservation and the request event.
 */
export async function openSqliteIdempotency(
  file: SqliteEventStore,
  events: EventStore = file,
): Promise<IdempotencyStore> {
  await file.migrate('idempotency', SCHEMA);
  return new SqliteIdempotency(file, events);
}

/** Whether the file, which must have the tables, has a stored response. Responses are sealed under their own key. */
export function hasStoredResponses(file: SqliteEventStore): boolean {
  return file.query('SELECT 1 FROM idempotency_keys WHERE answer IS NOT NULL LIMIT 1').length > 0;
}

class SqliteIdempotency implements IdempotencyStore {
  constructor(
    private readonly file: SqliteEventStore,
    private readonly events: EventStore,
  ) {}

  async find(merchantId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const [row] = this.file.query<Row>(`${RECORDS} WHERE merchant_id = ? AND key = ?`, [merchantId, key]);
    return row && toRecord(row);
  }

  async reserve(
    record: IdempotencyRecord,
    append: Append,
    replaces?: string,
  ): ReturnType<IdempotencyStore['reserve']> {
    if (this.events !== this.file)
      return reserveThenAppend({ keys: this, events: this.events }, record, append, replaces);
    const unit = await this.file.execute([...reservation(record, replaces), { kind: 'append', append }]);
    if (unit.kind === 'Refused') {
      return unit.because.kind === 'Conflict'
        ? { kind: 'Reserved', result: unit.because }
        : { kind: 'Taken' };
    }
    const appended = unit.steps.at(-1);
    if (appended?.kind !== 'Appended') throw new Error('the last step of a reservation is its append');
    return { kind: 'Reserved', result: appended };
  }

  async reserveAlone(record: IdempotencyRecord, replaces?: string): Promise<boolean> {
    return (await this.file.execute(reservation(record, replaces))).kind === 'Done';
  }

  async release(merchantId: string, key: string, commandId: string): Promise<void> {
    await this.file.execute([{ kind: 'run', sql: FORGET, params: [merchantId, key, commandId] }]);
  }

  async storeResponse(merchantId: string, key: string, commandId: string, answer: Uint8Array): Promise<void> {
    await this.file.execute([{ kind: 'run', sql: KEEP, params: [answer, merchantId, key, commandId] }]);
  }

  async listWithResponse(
    reservedBefore: number,
    after: IdempotencyRecord | undefined,
    limit: number,
  ): Promise<IdempotencyRecord[]> {
    const params = [reservedBefore, after?.reservedAt ?? -1, after?.merchantId ?? '', after?.key ?? ''];
    return this.file.query<Row>(`${LIST} LIMIT ${limit}`, params).map(toRecord);
  }
}

function toRecord({ response, operationId, ...record }: Row): IdempotencyRecord {
  return { ...record, ...(response && { response }), ...(operationId !== null && { operationId }) };
}

function reservation(
  { merchantId, key, fingerprint, commandId, stream, reservedAt, operationId }: IdempotencyRecord,
  replaces: string | undefined,
): WriteStep[] {
  const params = [merchantId, key, fingerprint, commandId, stream, reservedAt, operationId ?? null];
  const reserve: WriteStep = { kind: 'run', sql: RESERVE, params, mustChange: true };
  if (replaces === undefined) return [reserve];
  return [{ kind: 'run', sql: FORGET, params: [merchantId, key, replaces] }, reserve];
}
