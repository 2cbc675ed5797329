import type { Append, AppendResult, EventStore } from '@tillstream/event-store';
import type { IdempotencyRecord, IdempotencyStore } from '../idempotency/idempotency.port.js';
import { reserveThenAppend } from '../idempotency/two-step-reservation.js';

/** Keeps the keys in memory, for tests. */
export class MemoryIdempotency implements IdempotencyStore {
  private readonly records = new Map<string, IdempotencyRecord>();

  constructor(private readonly store: EventStore) {}

  async find(merchantId: string, key: string): Promise<IdempotencyRecord | undefined> {
    return this.records.get(mapKey(merchantId, key));
  }

  async reserve(
    record: IdempotencyRecord,
    append: Append,
    replaces?: string,
  ): Promise<{ readonly kind: 'Reserved'; readonly result: AppendResult } | { readonly kind: 'Taken' }> {
    return reserveThenAppend({ keys: this, events: this.store }, record, append, replaces);
  }

  async reserveAlone(record: IdempotencyRecord, replaces?: string): Promise<boolean> {
    const id = mapKey(record.merchantId, record.key);
    const present = this.records.get(id);
    const free = !present || present.commandId === record.commandId || present.commandId === replaces;
    if (free) this.records.set(id, record);
    return free;
  }

  async release(merchantId: string, key: string, commandId: string): Promise<void> {
    const id = mapKey(merchantId, key);
    if (this.records.get(id)?.commandId === commandId) this.records.delete(id);
  }

  async storeResponse(
    merchantId: string,
    key: string,
    commandId: string,
    response: Uint8Array,
  ): Promise<void> {
    const id = mapKey(merchantId, key);
    const record = this.records.get(id);
    if (record?.commandId === commandId && !record.response) this.records.set(id, { ...record, response });
  }

  async listWithResponse(
    reservedBefore: number,
    after: IdempotencyRecord | undefined,
    limit: number,
  ): Promise<IdempotencyRecord[]> {
    const age = ({ reservedAt, merchantId, key }: IdempotencyRecord): string =>
      `${String(reservedAt).padStart(16, '0')} ${mapKey(merchantId, key)}`;
    return [...this.records.values()]
      .filter(
        (record) =>
          record.response && record.reservedAt < reservedBefore && (!after || age(record) > age(after)),
      )
      .sort((a, b) => (age(a) < age(b) ? -1 : 1))
      .slice(0, limit);
  }
}

const mapKey = (merchantId: string, key: string): string => `${merchantId} ${key}`;
