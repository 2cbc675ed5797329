import type { OperationId, Payment, PaymentEvent, TokenEvent } from '@tillstream/domain';
import type { Idempotency } from './idempotency/idempotency.types.js';
import type {
  Actor,
  FollowUpInput,
  OperationResult,
  PhysicalRequest,
  RequestContext,
} from './requests/request.types.js';
import type { TokenPaymentRequest } from './stored-cards/stored-card.types.js';

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
