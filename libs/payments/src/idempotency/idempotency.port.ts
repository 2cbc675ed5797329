import type { OperationId } from '@tillstream/domain';
import type { Append, AppendResult } from '@tillstream/event-store';

/** The stored record of an `Idempotency-Key` (`docs/spec/idempotency.md#idempotency-key`). */
export interface IdempotencyRecord {
  readonly merchantId: string;
  readonly key: string;
  /** SHA-256 over method, path and body bytes, hex. */
  readonly fingerprint: string;
  /** With `stream`, finds the only operation that this key ever starts. */
  readonly commandId: string;
  readonly stream: string;
  /** Left out: the request starts no operation, or an older version of the service reserved the key. */
  readonly operationId?: OperationId;
  /** Ms, by the service's clock. */
  readonly reservedAt: number;
  /** Sealed. Left out until the client's response is stored. */
  readonly response?: Uint8Array;
}

export interface IdempotencyStore {
  find(merchantId: string, key: string): Promise<IdempotencyRecord | undefined>;
  /**
   * Reserves the key and appends the request: in one durable step if the store can, otherwise in this order.
   * `Taken`: another request has the key, and nothing was appended. After a `Conflict` the key is free again.
   * `replaces`: the command of the expired record.
   */
  reserve(
    record: IdempotencyRecord,
    append: Append,
    replaces?: string,
  ): Promise<{ readonly kind: 'Reserved'; readonly result: AppendResult } | { readonly kind: 'Taken' }>;
  /** For a request that appends nothing. False: another request has the key. */
  reserveAlone(record: IdempotencyRecord, replaces?: string): Promise<boolean>;
  /** Frees the key after a rejection or when it expires. */
  release(merchantId: string, key: string, commandId: string): Promise<void>;
  /** Durable when it resolves. A stored response is never replaced. */
  storeResponse(merchantId: string, key: string, commandId: string, answer: Uint8Array): Promise<void>;
  /** Records with a response that were reserved before `reservedBefore` (ms), oldest first, after the record `after`. */
  listWithResponse(
    reservedBefore: number,
    after: IdempotencyRecord | undefined,
    limit: number,
  ): Promise<IdempotencyRecord[]>;
}
