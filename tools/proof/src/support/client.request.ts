import { randomBytes } from 'node:crypto';
import type { ErrorEnvelope, TransactionResult } from '@tillstream/contracts';
import { approvedIn, transactionIn, type ApiResponse } from './api.client.js';

/** `TokenSale` is a sale with a stored card; `StoreCard` moves no money. */
export const REQUEST_PATHS = {
  Sale: '/v1/transactions/physical-sale',
  Auth: '/v1/transactions/physical-auth',
  Capture: '/v1/transactions/capture',
  Refund: '/v1/transactions/refund',
  Void: '/v1/transactions/void',
  TokenSale: '/v1/transactions/token-sale',
  StoreCard: '/v1/payment-methods/physical',
} as const;

export type RequestKind = keyof typeof REQUEST_PATHS;
export type PaymentRequestKind = Exclude<RequestKind, 'TokenSale' | 'StoreCard'>;
export type FollowUpKind = Exclude<PaymentRequestKind, 'Sale' | 'Auth'>;

/** A complete response. A broken connection gives none. */
export interface ClientResponse extends Pick<ApiResponse, 'status' | 'text' | 'replayed'> {
  /** Real time, ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface RequestBody {
  readonly referenceId: string;
  readonly amount?: number | undefined;
  readonly paymentMethodId?: string | undefined;
  readonly originalTransactionId?: string | undefined;
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

export function newRequest(kind: RequestKind, body: Omit<RequestBody, 'referenceId'>): ClientRequest {
  const name = randomBytes(9).toString('base64url');
  return { kind, body: { referenceId: `proof-${name}`, ...body }, key: `key-${name}`, responses: [] };
}

export function errorIn({ status, text }: Pick<ApiResponse, 'status' | 'text'>): ErrorEnvelope | undefined {
  return status === 200 ? undefined : (JSON.parse(text) as ErrorEnvelope);
}

/** The operation that a response names. The response of an unknown outcome names it in its details. */
export function operationIdIn(response: Pick<ApiResponse, 'status' | 'text'>): string | undefined {
  const transaction = transactionIn(response);
  if (transaction) return transaction.id;
  return errorIn(response)
    ?.errorDetails?.map(({ details }) => details)
    .find((text) => /^trx_/.test(text ?? ''));
}

/** Whether a response promises that nothing happened, though the request was valid. */
export function isRejection(response: ClientResponse | undefined): boolean {
  const error = response?.status === 500 ? errorIn(response) : undefined;
  return error?.code === 9000 && error.status === 'Rejected';
}

/** False if the response tells the client to send the request again. */
export function isDefinite({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status !== 409 && status !== 429 && status !== 503;
}

export function hasDefiniteResponse({ responses }: ClientRequest): boolean {
  return responses.some(isDefinite);
}

export function unansweredRequests(requests: readonly ClientRequest[]): string[] {
  return requests
    .filter((request) => !hasDefiniteResponse(request))
    .map(({ key }) => `${key}: no definite answer`);
}

/** The approved transaction, as the client received it. */
export function approvedTransaction({ responses }: ClientRequest): TransactionResult | undefined {
  return responses.map(approvedIn).find((one) => one !== undefined);
}
