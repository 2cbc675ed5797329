import { randomBytes } from 'node:crypto';

export type AskedKind = 'Sale' | 'Auth' | 'Capture' | 'Refund' | 'Void';
/** With a stored card beside: `TokenSale` is a sale like another, `StoreCard` moves nothing. */
export type AnyAskedKind = AskedKind | 'TokenSale' | 'StoreCard';

/** What a client heard: a whole answer. A broken connection is none. */
export interface Heard {
  readonly status: number;
  /** Byte for byte. */
  readonly text: string;
  readonly replayed: boolean;
  /** Real time, ms. */
  readonly sentAt: number;
  readonly heardAt: number;
}

export interface AskedBody {
  readonly referenceId: string;
  readonly amount?: number;
  readonly paymentMethodId?: string;
  readonly originalTransactionId?: string;
}

/**
 * One thing that a client wants to happen once, however often it sends it. Its reference id is its own: what the
 * history says about it is found without trusting any answer.
 */
export interface Asked {
  readonly kind: AnyAskedKind;
  readonly body: AskedBody;
  /** `Idempotency-Key`. */
  readonly key: string;
  readonly heard: Heard[];
}

const PATHS: Readonly<Record<AnyAskedKind, string>> = {
  Sale: '/v1/transactions/physical-sale',
  Auth: '/v1/transactions/physical-auth',
  Capture: '/v1/transactions/capture',
  Refund: '/v1/transactions/refund',
  Void: '/v1/transactions/void',
  TokenSale: '/v1/transactions/token-sale',
  StoreCard: '/v1/payment-methods/physical',
};

export const pathOf = (kind: AnyAskedKind): string => PATHS[kind];

export function ask(kind: AnyAskedKind, body: Omit<AskedBody, 'referenceId'>): Asked {
  const name = randomBytes(9).toString('base64url');
  return { kind, body: { referenceId: `proof-${name}`, ...body }, key: `key-${name}`, heard: [] };
}

/** The parts of answers that proofs look at; what is not there is undefined. */
export interface SaidTransaction {
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

export interface SaidError {
  readonly code: number;
  readonly status: string;
  readonly errorDetails: readonly { readonly details?: string }[];
}

export function saidTransaction({ status, text }: Heard): SaidTransaction | undefined {
  return status === 200 ? (JSON.parse(text) as SaidTransaction) : undefined;
}

export function saidError({ status, text }: Heard): SaidError | undefined {
  return status === 200 ? undefined : (JSON.parse(text) as SaidError);
}

/** The operation that an answer names; an unknown outcome's answer names it in its details. */
export function namedOperation(heard: Heard): string | undefined {
  const said = saidTransaction(heard);
  if (said) return said.id;
  return saidError(heard)
    ?.errorDetails?.map(({ details }) => details)
    .find((text) => /^trx_/.test(text ?? ''));
}

/** It says what became of the request. 409 and 429 say to ask again. */
export function isDefinite({ status }: Heard): boolean {
  return status !== 409 && status !== 429 && status !== 503;
}

/** Approved, with its id and amount, as the client was told. */
export function approvedIn(asked: Asked): SaidTransaction | undefined {
  return asked.heard
    .map(saidTransaction)
    .find((said) => said?.transactionResponses[0]?.responseCode === 1 && said.status === 'Completed');
}
