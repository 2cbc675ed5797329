import type { OperationId } from '@tillstream/domain';
import type { Append, EventStore } from '@tillstream/event-store';
import { reserveThenAppend, type IdempotencyRecord, type IdempotencyStore } from '@tillstream/payments';
import { asStore, repeatUntilKnown, type Postgres, type PostgresSession } from '@tillstream/postgres-driver';
import { build, type PaymentsTables } from './payments.tables.js';

type Row = PaymentsTables['idempotency_keys'];

/** Another request has the key. Thrown inside the transaction, to undo it. */
class Taken extends Error {}

/** Idempotency keys in PostgreSQL. The events are in another store, so the key is durable before the request is appended. */
export function openPostgresIdempotency(database: Postgres, events: EventStore): IdempotencyStore {
  return new PostgresIdempotency(database, events);
}

/** Every method may be repeated with the same effect, and is repeated while its result is unknown. */
class PostgresIdempotency implements IdempotencyStore {
  constructor(
    private readonly database: Postgres,
    private readonly events: EventStore,
  ) {}

  async find(merchantId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const query = build.selectFrom('idempotency_keys').selectAll();
    const found = query.where('merchant_id', '=', merchantId).where('key', '=', key);
    const [row] = await asStore(() => repeatUntilKnown(() => this.database.all(found)));
    return row && toRecord(row);
  }

  reserve(
    record: IdempotencyRecord,
    append: Append,
    replaces?: string,
  ): ReturnType<IdempotencyStore['reserve']> {
    return reserveThenAppend({ keys: this, events: this.events }, record, append, replaces);
  }

  async reserveAlone(record: IdempotencyRecord, replaces?: string): Promise<boolean> {
    const reservation = () => repeatUntilKnown(() => this.#reserve(record, replaces));
    try {
      // The request is certainly not written yet: a repeat finds the reservation, if there is one, and no operation under it.
      await asStore(reservation, 'Unavailable');
      return true;
    } catch (error) {
      if (error instanceof Taken) return false;
      throw error;
    }
  }

  async release(merchantId: string, key: string, commandId: string): Promise<void> {
    await asStore(() => repeatUntilKnown(() => this.database.run(forget(merchantId, key, commandId))));
  }

  async storeResponse(merchantId: string, key: string, commandId: string, answer: Uint8Array): Promise<void> {
    const keep = build
      .updateTable('idempotency_keys')
      .set({ answer })
      .where('merchant_id', '=', merchantId)
      .where('key', '=', key)
      .where('command_id', '=', commandId)
      .where('answer', 'is', null);
    await asStore(() => repeatUntilKnown(() => this.database.run(keep)));
  }

  async listWithResponse(
    reservedBefore: number,
    after: IdempotencyRecord | undefined,
    limit: number,
  ): Promise<IdempotencyRecord[]> {
    const place = [after?.reservedAt ?? -1, after?.merchantId ?? '', after?.key ?? ''] as const;
    const page = build
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('reserved_at', '<', reservedBefore)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('reserved_at', 'merchant_id', 'key'), '>', tuple(...place)),
      )
      .where('answer', 'is not', null)
      .orderBy('reserved_at')
      .orderBy('merchant_id')
      .orderBy('key')
      .limit(limit);
    return (await asStore(() => this.database.all(page))).map(toRecord);
  }

  async #reserve(record: IdempotencyRecord, replaces: string | undefined): Promise<void> {
    if (replaces === undefined) return assertReserved(await this.database.run(insert(record)));
    await this.database.transaction(async (session: PostgresSession) => {
      await session.run(forget(record.merchantId, record.key, replaces));
      assertReserved(await session.run(insert(record)));
    });
  }
}

function assertReserved(rows: number): void {
  if (rows === 0) throw new Taken();
}

/** Changes no row if another command has the key. A repeat of the same reservation succeeds. */
function insert(record: IdempotencyRecord) {
  const { merchantId, key, fingerprint, commandId, stream, reservedAt, operationId = null } = record;
  return build
    .insertInto('idempotency_keys')
    .values({
      merchant_id: merchantId,
      key,
      fingerprint,
      command_id: commandId,
      stream,
      operation_id: operationId,
      reserved_at: reservedAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'key'])
        .doUpdateSet({ stream, operation_id: operationId })
        .where('idempotency_keys.command_id', '=', commandId),
    );
}

function forget(merchantId: string, key: string, commandId: string) {
  return build
    .deleteFrom('idempotency_keys')
    .where('merchant_id', '=', merchantId)
    .where('key', '=', key)
    .where('command_id', '=', commandId);
}

function toRecord(row: Row): IdempotencyRecord {
  return {
    merchantId: row.merchant_id,
    key: row.key,
    fingerprint: row.fingerprint,
    commandId: row.command_id,
    stream: row.stream,
    reservedAt: row.reserved_at,
    ...(row.operation_id !== null && { operationId: row.operation_id as OperationId }),
    ...(row.answer !== null && { response: row.answer }),
  };
}
