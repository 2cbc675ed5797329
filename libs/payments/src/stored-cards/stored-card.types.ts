import type {
  BillingContact,
  OperationId,
  Payment,
  PaymentRejection,
  Token,
  TokenRejection,
} from '@tillstream/domain';
import type { HolderReference } from '../account-holders/account-holder.types.js';
import type { PhysicalRequest, RequestContext } from '../requests/request.types.js';

export interface StoreCardRequest {
  /** Default: the merchant's default terminal, or its only one. */
  readonly paymentMethodId?: string;
  readonly description?: string;
  readonly accountHolder?: HolderReference;
  readonly referenceId?: string;
}

export interface TokenPaymentRequest extends Omit<PhysicalRequest, 'paymentMethodId'> {
  readonly paymentMethodId: string;
  /** Default: `Customer`. */
  readonly initiator?: 'Customer' | 'Merchant';
  readonly reason?: 'Recurring' | 'Installment' | 'Unscheduled';
}

/** Has at least one field; the API validates it. */
export interface TokenUpdateRequest {
  readonly description?: string;
  /** MMYY. */
  readonly cardExpDate?: string;
  readonly billingContact?: BillingContact;
  readonly accountHolder?: HolderReference;
  readonly referenceId?: string;
}

/** The details of a token that no payment event has. Personal data is present only while its key exists. */
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

/** The result of an operation on a token. The kinds mean the same as those of `OperationResult`. */
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
  | { readonly kind: 'Uncertain'; readonly operationId?: OperationId }
  | { readonly kind: 'Contended' }
  | { readonly kind: 'KeyTaken' };

export interface StoredCards {
  /** Reads a card at a terminal, verifies it with its issuer for 0.00, and stores it. */
  storeFromTerminal(context: RequestContext, request: StoreCardRequest): Promise<TokenResult>;
  update(context: RequestContext, tokenId: string, change: TokenUpdateRequest): Promise<TokenResult>;
  /** Removes the token and destroys its keys. After that even the service can't read the card. */
  remove(context: RequestContext, tokenId: string): Promise<TokenResult>;
  /** Finds an operation of a token. Undefined if it is unknown or another merchant's. */
  find(
    merchantId: string,
    transactionId: string,
  ): Promise<
    { readonly token: Token; readonly operationId: OperationId; readonly facts: TokenDetails } | undefined
  >;
  /** Details of the token that a payment was made with; undefined for a payment without a token. */
  detailsOf(payment: Payment): Promise<TokenDetails | undefined>;
}
