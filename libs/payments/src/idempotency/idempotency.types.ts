import type { OperationId } from '@tillstream/domain';
import type { OperationResult } from '../requests/request.types.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import type { IdempotencyRecord } from './idempotency.port.js';

/** A reserved key: the request must be begun under this command and, for a new payment, in this stream. */
export interface IdempotencyTicket {
  readonly key: string;
  readonly fingerprint: string;
  readonly commandId: string;
  /** The root of a new payment's stream, should one be opened. */
  readonly root: string;
  /** An expired record that this one takes the place of. */
  readonly replaces?: string;
  /** The key was reserved by an earlier run that never got to its request. */
  readonly earlierReservation?: IdempotencyRecord;
}

export interface Idempotency {
  /**
   * Asked after the body was found good, before anything that depends on state
   * (`docs/spec/errors.md#which-answer-wins`).
   */
  start(merchantId: string, key: string, fingerprint: string): Promise<IdempotencyStart>;
  /** For a request that begins no operation; false where somebody reserved the key meanwhile. */
  reserve(merchantId: string, ticket: IdempotencyTicket): Promise<boolean>;
  /** It was refused: the key can be used again. */
  release(merchantId: string, ticket: IdempotencyTicket): Promise<void>;
  /** Kept durably, before the client is answered. */
  storeResponse(
    merchantId: string,
    ticket: Pick<IdempotencyRecord, 'key' | 'commandId'>,
    answer: Uint8Array,
  ): Promise<void>;
}

export type IdempotencyStart =
  | { readonly kind: 'New'; readonly ticket: IdempotencyTicket }
  | { readonly kind: 'Replay'; readonly answer: Uint8Array }
  /** Same key, other method, path or body. */
  | { readonly kind: 'Mismatch' }
  /** The first is still on its way: 409/3401. */
  | { readonly kind: 'Running' }
  /** The key, or what it began, can't be looked up now. */
  | { readonly kind: 'Unseen'; readonly operationId?: OperationId }
  /** It was stored but its answer was not kept: this is the answer; keep it under the record's command. */
  | {
      readonly kind: 'FromHistory';
      /** As the request has it: of an operation on a payment, or on a token. */
      readonly result: OperationResult | TokenResult;
      readonly commandId: string;
    };
