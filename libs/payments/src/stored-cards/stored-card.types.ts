import type {
  BillingContact,
  OperationId,
  Payment,
  PaymentRejection,
  Token,
  TokenRejection,
} from '@tillstream/domain';
import type { PhysicalRequest, RequestContext } from '../requests/request.types.js';

/*
 * Stored cards and their holders: what the shells ask, and what they are told
 * (`docs/spec/payment-methods.md#account-holders`).
 */

export interface HolderFields {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly billingContact?: BillingContact;
}

/** Exactly one of both is given: checked before. With an external id the holder is found or made. */
export interface HolderReference extends HolderFields {
  readonly id?: string;
  readonly externalId?: string;
}

export interface StoreCardRequest {
  /** Left out: the merchant's default terminal, or its only one. */
  readonly paymentMethodId?: string;
  readonly description?: string;
  readonly accountHolder?: HolderReference;
  readonly referenceId?: string;
}

export interface TokenPaymentRequest extends Omit<PhysicalRequest, 'paymentMethodId'> {
  readonly paymentMethodId: string;
  /** Left out: the customer. */
  readonly initiator?: 'Customer' | 'Merchant';
  readonly reason?: 'Recurring' | 'Installment' | 'Unscheduled';
}

/** At least one field is given: checked before. */
export interface TokenUpdateRequest {
  readonly description?: string;
  /** MMYY. */
  readonly cardExpDate?: string;
  readonly billingContact?: BillingContact;
  readonly accountHolder?: HolderReference;
  readonly referenceId?: string;
}

/** What may be shown of a token beside what its payments' events say; personal data only while its key exists. */
export interface TokenDetails {
  /** `pmt_tkn_…`. */
  readonly id: string;
  readonly dateDeleted?: string;
  readonly cardExpDate?: string;
  readonly billingContact?: BillingContact;
}

export type StoredCardRejection =
  | TokenRejection
  | PaymentRejection
  | {
      readonly code:
        | 'HolderNotFound'
        | 'ExpiryInThePast'
        | 'NoProcessor'
        | 'PaymentMethodRequired'
        | 'PaymentMethodNotFound'
        | 'PaymentMethodTypeUnfit'
        | 'PaymentMethodDisabled';
      readonly message: string;
      readonly details?: string;
    };

/** As `OperationResult`, of an operation on a token. */
export type TokenResult =
  | {
      readonly kind: 'Answered';
      readonly token: Token;
      readonly operationId: OperationId;
      readonly facts: TokenDetails;
    }
  | { readonly kind: 'Rejected'; readonly rejection: StoredCardRejection }
  | { readonly kind: 'Interrupted'; readonly operationId: OperationId }
  | { readonly kind: 'NotSent'; readonly token: Token; readonly operationId: OperationId }
  | { readonly kind: 'NotStored' }
  /** As `OperationResult`'s. */
  | { readonly kind: 'Uncertain'; readonly operationId?: OperationId }
  | { readonly kind: 'Contended' }
  | { readonly kind: 'KeyTaken' };

export interface StoredCards {
  /** Checks the card at a terminal with its issuer for 0.00 and keeps it. */
  storeFromTerminal(context: RequestContext, request: StoreCardRequest): Promise<TokenResult>;
  update(context: RequestContext, tokenId: string, change: TokenUpdateRequest): Promise<TokenResult>;
  /** Its keys are destroyed: nobody can read the card any more, the service included. */
  remove(context: RequestContext, tokenId: string): Promise<TokenResult>;
  /** The operation of a token; undefined: unknown or another merchant's. */
  find(
    merchantId: string,
    transactionId: string,
  ): Promise<
    { readonly token: Token; readonly operationId: OperationId; readonly facts: TokenDetails } | undefined
  >;
  /** Of a payment made with a token, as the history has it now; undefined for any other payment. */
  detailsOf(payment: Payment): Promise<TokenDetails | undefined>;
}

/** An account holder with its personal data opened. */
export interface HolderView extends HolderFields {
  /** `acc_…`. */
  readonly id: string;
  readonly externalId?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type HolderResult =
  | { readonly kind: 'Done'; readonly holder: HolderView }
  | {
      readonly kind: 'Rejected';
      readonly rejection: { readonly code: 'HolderNotFound' | 'ExternalIdTaken'; readonly message: string };
    }
  | { readonly kind: 'NotStored' }
  | { readonly kind: 'Contended' };

/** `id` is an `acc_…` id or the merchant's own external id. `commandId`: repeated, it does nothing a second time. */
export interface AccountHolders {
  create(
    context: RequestContext,
    fields: HolderFields & { readonly externalId?: string },
    commandId?: string,
  ): Promise<HolderResult>;
  /** Undefined: unknown, another merchant's or erased. */
  find(merchantId: string, id: string): Promise<HolderView | undefined>;
  change(
    context: RequestContext,
    id: string,
    fields: HolderFields & { readonly externalId?: string },
    commandId?: string,
  ): Promise<HolderResult>;
  /** Removes its tokens and destroys its keys; answers what was known of it. */
  erase(context: RequestContext, id: string, commandId?: string): Promise<HolderResult>;
}
