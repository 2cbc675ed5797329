import type { OperationId } from '@tillstream/domain';
import type { Append, AppendResult } from '@tillstream/event-store';

/** What is kept of an `Idempotency-Key` (`docs/spec/idempotency.md#idempotency-key`). */
export interface IdempotencyRecord {
  readonly merchantId: string;
  readonly key: string;
  /** SHA-256 over method, path and body bytes, hex. */
  readonly fingerprint: string;
  /** Names the one operation that this key ever begins, and where it is. */
  readonly commandId: string;
  readonly stream: string;
  /** The operation that is begun; left out: the request begins none, or an older version reserved the key. */
  readonly operationId?: OperationId;
  /** Service's clock, ms. */
  readonly reservedAt: number;
  /** Sealed; absent until the operation was answered. */
  readonly response?: Uint8Array;
}

export interface IdempotencyStore {
  find(merchantId: string, key: string): Promise<IdempotencyRecord | undefined>;
  /**
   * Reserves the key and appends the request in one durable step where the store can, else first one, then the other.
   * `AssignmentResult`: somebody reserved it meanwhile, and nothing was appended. After a `Conflict` the key is free again.
   * `replaces` names the command of a record that has expired.
   */
  reserve(
    record: IdempotencyRecord,
    append: Append,
    replaces?: string,
  ): Promise<{ readonly kind: 'Reserved'; readonly result: AppendResult } | { readonly kind: 'Taken' }>;
  /** For what appends nothing: false where somebody has the key. */
  reserveAlone(record: IdempotencyRecord, replaces?: string): Promise<boolean>;
  /** The key is free again: its request was refused, or its time is over. */
  release(merchantId: string, key: string, commandId: string): Promise<void>;
  /** Durable when it resolves. The first kept answer stays. */
  storeResponse(merchantId: string, key: string, commandId: string, answer: Uint8Array): Promise<void>;
  /** Answered records reserved before then, oldest first, after the one named: what may be forgotten. */
  listWithResponse(
    reservedBefore: number,
    after: IdempotencyRecord | undefined,
    limit: number,
  ): Promise<IdempotencyRecord[]>;
}
