import type {
  AmountBreakdown,
  Cents,
  Merchant,
  OperationId,
  Payment,
  PaymentRejection,
} from '@tillstream/domain';
import type { IdempotencyTicket } from '../idempotency/idempotency-keys.js';
import type { TokenDetails } from '../stored-cards/stored-card.types.js';
import type { PaymentMethodRejection } from '../payment-methods/payment-method.finder.js';

export interface Actor {
  readonly type: 'ApiKey' | 'Customer' | 'Operator' | 'System';
  readonly name: string;
  readonly keyId?: string;
}

/** The caller of a request and its merchant. */
export interface RequestContext {
  readonly merchant: Merchant;
  readonly actor: Actor;
  /** 32 hex. */
  readonly traceId: string;
  readonly idempotency?: IdempotencyTicket;
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

/** Exactly one of `originalTransactionId` and `originalReferenceId` is given: the caller checks it. */
export interface FollowUpInput {
  readonly originalTransactionId?: string;
  readonly originalReferenceId?: string;
  readonly amount?: Cents;
  readonly amountBreakdown?: Partial<AmountBreakdown>;
  readonly invoiceNumber?: string;
  readonly orderNumber?: string;
  readonly referenceId?: string;
}

/** A rejection before anything was stored: by the domain, or by a rule that needs several streams. */
export type RequestRejection =
  | PaymentRejection
  | PaymentMethodRejection
  | {
      readonly code:
        | 'OriginalReferenceNotFound'
        | 'OriginalReferenceAmbiguous'
        | 'UnreferencedRefundsOff'
        | 'DailyLimitReached'
        /** The token is unknown, removed or another merchant's. */
        | 'TokenNotFound'
        /** The token's creation has no outcome yet. */
        | 'TokenNotFinished'
        /** The card or merchant does not allow the operation, for example an authorization with Canadian PIN debit. */
        | 'OperationNotEnabled'
        /** No route leads to a processor. */
        | 'NoProcessor'
        /** The keys of session ids can't be read. */
        | 'SessionNotCreated';
      readonly message: string;
      readonly details?: string;
    }
  /** The settings do not fit the form's type. */
  | {
      readonly code: 'FormSettingUnfit';
      readonly message: string;
      readonly details: string;
      readonly setting: 'formConfig.billingInfoCaptureLevel' | 'formConfig.enable3DSecure';
    }
  | HolderRejection;

export interface HolderRejection {
  readonly code: 'HolderNotFound';
  readonly message: string;
}

export type OperationResult =
  /** Stored, and the processor has responded: approved, declined, cancelled or processing. */
  | {
      readonly kind: 'Answered';
      readonly payment: Payment;
      readonly operationId: OperationId;
      /** Of a new payment with a token. Left out: call `StoredCards.detailsOf`. */
      readonly facts?: TokenDetails;
    }
  /** Nothing was stored. */
  | { readonly kind: 'Rejected'; readonly rejection: RequestRejection }
  /** Stored with an unknown outcome, or the result of the append is unknown. */
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId }
  /** Stored, and certainly not sent. */
  | { readonly kind: 'NotSent'; readonly payment: Payment; readonly operationId: OperationId }
  /** The store refused the request. */
  | { readonly kind: 'NotStored' }
  /** The request, or an earlier one with its key or reference, may be stored. */
  | { readonly kind: 'Uncertain'; readonly operationId?: OperationId }
  /** Too many concurrent operations on one payment. Nothing was stored. */
  | { readonly kind: 'Contended' }
  /** A concurrent request reserved the same idempotency key. */
  | { readonly kind: 'KeyTaken' };
