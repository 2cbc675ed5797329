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
  | { readonly kind: 'Refused'; readonly refusal: StoredCardRejection }
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
