import type { BillingContact, OperationId, Token, TokenRejection } from '@tillstream/domain';
import type { HolderReference } from '../account-holders/account-holders.js';
import type { OperationResult, PhysicalRequest, RequestRejection } from '../requests/request.types.js';

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
  | RequestRejection
  | {
      readonly code: 'ExpiryInThePast';
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
  | { readonly kind: 'NotSent'; readonly token: Token; readonly operationId: OperationId }
  | Exclude<OperationResult, { kind: 'Answered' | 'Rejected' | 'NotSent' }>;
