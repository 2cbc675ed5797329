import type { OperationId } from '@tillstream/domain';
import type { OperationResult } from '../requests/request.types.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import type { IdempotencyRecord } from './idempotency.port.js';

/** The right to run the request of an idempotency key: under this command and, for a new payment, in this stream. */
export interface IdempotencyTicket {
  readonly key: string;
  readonly fingerprint: string;
  readonly commandId: string;
  /** The root of the stream, if the request opens a payment. */
  readonly root: string;
  /** The command of the expired record that this one replaces. */
  readonly replaces?: string;
  /** An earlier run reserved the key and appended no request. */
  readonly earlierReservation?: IdempotencyRecord;
}

export interface Idempotency {
  /**
   * Called after the body was validated and before anything that depends on state
   * (`docs/spec/errors.md#which-answer-wins`).
   */
  start(merchantId: string, key: string, fingerprint: string): Promise<IdempotencyStart>;
  /** For a request that starts no operation. False: a concurrent request reserved the key. */
  reserve(merchantId: string, ticket: IdempotencyTicket): Promise<boolean>;
  /** After a rejection: the key can be used again. */
  release(merchantId: string, ticket: IdempotencyTicket): Promise<void>;
  /** Durable when it resolves: call it before the client gets the response. */
  storeResponse(
    merchantId: string,
    ticket: Pick<IdempotencyRecord, 'key' | 'commandId'>,
    answer: Uint8Array,
  ): Promise<void>;
}

export type IdempotencyStart =
  | { readonly kind: 'New'; readonly ticket: IdempotencyTicket }
  | { readonly kind: 'Replay'; readonly answer: Uint8Array }
  /** The same key with another method, path or body. */
  | { readonly kind: 'Mismatch' }
  /** The first request still runs: 409/3401. */
  | { readonly kind: 'Running' }
  /** The key's record or operation can't be read now. */
  | { readonly kind: 'Unseen'; readonly operationId?: OperationId }
  /** The first request was stored without a response. History gives the response: store it under the record's command. */
  | {
      readonly kind: 'FromHistory';
      /** Of an operation on a payment or on a token. */
      readonly result: OperationResult | TokenResult;
      readonly commandId: string;
    };
