import type { Merchant, OperationId, Payment, PaymentEvent, TokenEvent } from '@tillstream/domain';
import type { IdempotencyRecord } from './idempotency/idempotency.port.js';
import type {
  Actor,
  FollowUpInput,
  IdempotencyTicket,
  OperationResult,
  PhysicalRequest,
  RequestContext,
} from './requests/request.types.js';
import type { TokenPaymentRequest, TokenResult } from './stored-cards/stored-card.types.js';

/** What the shells call: `createPayments` (create-payments.ts) makes it. */
export interface Payments {
  physicalSale(context: RequestContext, request: PhysicalRequest): Promise<OperationResult>;
  physicalAuth(context: RequestContext, request: PhysicalRequest): Promise<OperationResult>;
  unreferencedPhysicalRefund(context: RequestContext, request: PhysicalRequest): Promise<OperationResult>;
  /** With a stored card or bank account: at once, without a terminal or a form. */
  tokenSale(context: RequestContext, request: TokenPaymentRequest): Promise<OperationResult>;
  tokenAuth(context: RequestContext, request: TokenPaymentRequest): Promise<OperationResult>;
  capture(context: RequestContext, request: FollowUpInput): Promise<OperationResult>;
  refund(context: RequestContext, request: FollowUpInput): Promise<OperationResult>;
  void(context: RequestContext, request: FollowUpInput): Promise<OperationResult>;
  /** Undefined: unknown, another merchant's, or one of the service's own operations. */
  find(
    merchantId: string,
    transactionId: string,
  ): Promise<{ readonly payment: Payment; readonly operationId: OperationId } | undefined>;
  /** The whole history of the payment or token that it belongs to, oldest first, at most `limit` from `from` (revision, inclusive). */
  history(
    merchantId: string,
    transactionId: string,
    page: { readonly from: number; readonly limit: number },
  ): Promise<{ readonly entries: readonly HistoryEntry[]; readonly end: boolean } | undefined>;
  idempotency: Idempotency;
}

export interface HistoryEntry {
  /** From 0. */
  readonly sequence: number;
  readonly event: PaymentEvent | TokenEvent;
  readonly timestamp: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly traceId?: string;
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

/** A merchant's key, looked up strongly and believed for at most 2 s. */
export interface AuthenticatedMerchant {
  readonly kind: 'Merchant';
  readonly merchant: Merchant;
  readonly keyId: string;
  readonly keyName: string;
  readonly readOnly: boolean;
}

export interface AuthenticatedOperator {
  readonly kind: 'Operator';
  readonly keyId: string;
  readonly keyName: string;
}

export interface Authentication {
  /** Undefined: unknown or revoked. */
  authenticate(key: string): Promise<AuthenticatedMerchant | AuthenticatedOperator | undefined>;
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
  /** As the store has it now. */
  readMerchant(merchantId: string): Promise<Merchant | undefined>;
  /** This process changed it: nothing older is believed from now on. */
  forgetMerchant(merchantId: string): void;
}
