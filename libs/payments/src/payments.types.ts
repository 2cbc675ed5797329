import type { OperationId, Payment, PaymentEvent, TokenEvent } from '@tillstream/domain';
import type { IdempotencyKeys } from './idempotency/idempotency-keys.js';
import type {
  Actor,
  FollowUpInput,
  OperationResult,
  PhysicalRequest,
  RequestContext,
} from './requests/request.types.js';
import type { TokenPaymentRequest } from './stored-cards/stored-card.types.js';

/** The operations that the API and the command line call. `createPayments` creates them. */
export interface Payments {
  physicalSale(context: RequestContext, request: PhysicalRequest): Promise<OperationResult>;
  physicalAuth(context: RequestContext, request: PhysicalRequest): Promise<OperationResult>;
  unreferencedPhysicalRefund(context: RequestContext, request: PhysicalRequest): Promise<OperationResult>;
  /** Pays with a stored card or bank account. */
  tokenSale(context: RequestContext, request: TokenPaymentRequest): Promise<OperationResult>;
  tokenAuth(context: RequestContext, request: TokenPaymentRequest): Promise<OperationResult>;
  capture(context: RequestContext, request: FollowUpInput): Promise<OperationResult>;
  refund(context: RequestContext, request: FollowUpInput): Promise<OperationResult>;
  void(context: RequestContext, request: FollowUpInput): Promise<OperationResult>;
  /** Undefined: the operation is unknown, another merchant's, or a reversal. */
  find(
    merchantId: string,
    transactionId: string,
  ): Promise<{ readonly payment: Payment; readonly operationId: OperationId } | undefined>;
  /** Events of the transaction's payment or token, oldest first: at most `limit` from revision `from`, inclusive. */
  history(
    merchantId: string,
    transactionId: string,
    page: { readonly from: number; readonly limit: number },
  ): Promise<{ readonly entries: readonly HistoryEntry[]; readonly end: boolean } | undefined>;
  readonly idempotency: IdempotencyKeys;
}

export interface HistoryEntry {
  /** The revision, from 0. */
  readonly sequence: number;
  readonly event: PaymentEvent | TokenEvent;
  readonly timestamp: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly traceId?: string;
}
