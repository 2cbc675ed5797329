import type {
  AmountBreakdown,
  Cents,
  Merchant,
  OperationId,
  Payment,
  PaymentRejection,
} from '@tillstream/domain';
import type { IdempotencyRecord } from '../idempotency/idempotency.port.js';
import type { TokenDetails } from '../stored-cards/stored-card.types.js';

export interface Actor {
  readonly type: 'ApiKey' | 'Customer' | 'Operator' | 'System';
  readonly name: string;
  readonly keyId?: string;
}

/** Who asks, and on whose behalf. */
export interface RequestContext {
  readonly merchant: Merchant;
  readonly actor: Actor;
  /** 32 hex. */
  readonly traceId: string;
  readonly idempotency?: IdempotencyTicket;
}

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

export interface PhysicalRequest {
  readonly amount: Cents;
  readonly amountBreakdown?: Partial<AmountBreakdown>;
  /** Left out: the merchant's default terminal, or its only one. */
  readonly paymentMethodId?: string;
  readonly invoiceNumber?: string;
  readonly orderNumber?: string;
  readonly referenceId?: string;
}

/** Exactly one of the two originals is given: checked before. */
export interface FollowUpInput {
  readonly originalTransactionId?: string;
  readonly originalReferenceId?: string;
  readonly amount?: Cents;
  readonly amountBreakdown?: Partial<AmountBreakdown>;
  readonly invoiceNumber?: string;
  readonly orderNumber?: string;
  readonly referenceId?: string;
}

/** Refused before anything was stored. The domain's own rejections, and those that need more than one stream to see. */
export type RequestRejection =
  | PaymentRejection
  | {
      readonly code:
        | 'OriginalReferenceNotFound'
        | 'OriginalReferenceAmbiguous'
        | 'PaymentMethodRequired'
        | 'PaymentMethodNotFound'
        | 'PaymentMethodTypeUnfit'
        | 'PaymentMethodDisabled'
        | 'UnreferencedRefundsOff'
        | 'DailyLimitReached'
        /** No such token, removed, or another merchant's. */
        | 'TokenNotFound'
        /** Its creation has no outcome yet. */
        | 'TokenNotFinished'
        /** Not for this card or merchant, as an authorization with Canadian PIN debit. */
        | 'OperationNotEnabled'
        /** No route leads to a processor. */
        | 'NoProcessor';
      readonly message: string;
      readonly details?: string;
    };

export type OperationResult =
  /** Stored and answered: approved, declined, cancelled, processing. */
  | {
      readonly kind: 'Answered';
      readonly payment: Payment;
      readonly operationId: OperationId;
      /** Of a payment begun just now with a token. Left out: `StoredCards.factsOf` has them, where there are any. */
      readonly facts?: TokenDetails;
    }
  /** Nothing was stored. */
  | { readonly kind: 'Rejected'; readonly rejection: RequestRejection }
  /** Stored; the outcome is not known, or the store did not say whether it was written. */
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId }
  /** Stored, and history says that it was never sent. */
  | { readonly kind: 'NotSent'; readonly payment: Payment; readonly operationId: OperationId }
  /** The store refused the request: nothing happened. */
  | { readonly kind: 'NotStored' }
  /** It can't be told now whether it, or an earlier request under its key or reference, was stored. */
  | { readonly kind: 'Uncertain'; readonly operationId?: OperationId }
  /** Too many operations at once on one payment: nothing was stored. */
  | { readonly kind: 'Contended' }
  /** The same idempotency key was reserved by another request meanwhile. */
  | { readonly kind: 'KeyTaken' };
