import { randomBytes } from 'node:crypto';

export type PaymentRequestKind = 'Sale' | 'Auth' | 'Capture' | 'Refund' | 'Void';
/** `TokenSale` is a sale with a stored card; `StoreCard` moves no money. */
export type RequestKind = PaymentRequestKind | 'TokenSale' | 'StoreCard';

/** A complete response. A broken connection gives none. */
export interface ClientResponse {
  readonly status: number;
  /** Byte for byte. */
  readonly text: string;
  readonly replayed: boolean;
  /** Real time, ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface RequestBody {
  readonly referenceId: string;
  readonly amount?: number;
  readonly paymentMethodId?: string;
  readonly originalTransactionId?: string;
}

/**
 * An operation that a client wants once, however often it sends the request. The reference id is unique, so the audit
 * finds the operation in the events without trusting a response.
 */
export interface ClientRequest {
  readonly kind: RequestKind;
  readonly body: RequestBody;
  /** `Idempotency-Key`. */
  readonly key: string;
  readonly responses: ClientResponse[];
}

const PATHS: Readonly<Record<RequestKind, string>> = {
  Sale: '/v1/transactions/physical-sale',
  Auth: '/v1/transactions/physical-auth',
  Capture: '/v1/transactions/capture',
  Refund: '/v1/transactions/refund',
  Void: '/v1/transactions/void',
  TokenSale: '/v1/transactions/token-sale',
  StoreCard: '/v1/payment-methods/physical',
};

export const requestPath = (kind: RequestKind): string => PATHS[kind];

export function newRequest(kind: RequestKind, body: Omit<RequestBody, 'referenceId'>): ClientRequest {
  const name = randomBytes(9).toString('base64url');
  return { kind, body: { referenceId: `proof-${name}`, ...body }, key: `key-${name}`, responses: [] };
}

/** The fields of a response that proofs read. */
export interface TransactionResponse {
  readonly id: string;
  readonly referenceId: string;
  readonly type: string;
  readonly status: string;
  readonly amount: number;
  readonly originalTransactionId?: string;
  readonly paymentMethod?: { readonly id: string };
  readonly transactionResponses: readonly {
    readonly responseCode: number;
    readonly amountApproved: number;
  }[];
}

export interface ErrorResponse {
  readonly code: number;
  readonly status: string;
  readonly errorDetails: readonly { readonly details?: string }[];
}

export function transactionIn({ status, text }: ClientResponse): TransactionResponse | undefined {
  return status === 200 ? (JSON.parse(text) as TransactionResponse) : undefined;
}

export function errorIn({ status, text }: ClientResponse): ErrorResponse | undefined {
  return status === 200 ? undefined : (JSON.parse(text) as ErrorResponse);
}

/** The operation that a response names. The response of an unknown outcome names it in its details. */
export function operationIdIn(response: ClientResponse): string | undefined {
  const transaction = transactionIn(response);
  if (transaction) return transaction.id;
  return errorIn(response)
    ?.errorDetails?.map(({ details }) => details)
    .find((text) => /^trx_/.test(text ?? ''));
}

/** False if the response tells the client to send the request again. */
export function isDefinite({ status }: ClientResponse): boolean {
  return status !== 409 && status !== 429 && status !== 503;
}

export function hasDefiniteResponse({ responses }: ClientRequest): boolean {
  return responses.some(isDefinite);
}

/** A complaint for each request without a definite response. */
export function unansweredRequests(requests: readonly ClientRequest[]): string[] {
  return requests
    .filter((request) => !hasDefiniteResponse(request))
    .map(({ key }) => `${key}: no definite answer`);
}

/** The approved transaction, as the client received it. */
export function approvedTransaction(request: ClientRequest): TransactionResponse | undefined {
  return request.responses
    .map(transactionIn)
    .find((one) => one?.transactionResponses[0]?.responseCode === 1 && one.status === 'Completed');
}
