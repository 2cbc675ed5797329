import { approvedTransaction, newRequest, type ClientRequest } from './client.request.js';
import type { PaymentClient } from './payment.client.js';

/** An approved sale or authorization for follow-ups. */
export interface Original {
  readonly requests: ClientRequest;
  readonly id: string;
  readonly amount: number;
}

const TIMEOUT_MS = 60_000;
const TRIES = 5;

/** Repeats with a new request if a busy machine misses a deadline. Adds every request to `requestArbitrary`. */
export async function makeOriginal(
  client: PaymentClient,
  kind: 'Sale' | 'Auth',
  amount: number,
  paymentMethodId: string | undefined,
  requests: ClientRequest[],
): Promise<Original> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const one = newRequest(kind, { amount, ...(paymentMethodId !== undefined && { paymentMethodId }) });
    requests.push(one);
    await client.insist(one, TIMEOUT_MS);
    const approved = approvedTransaction(one);
    if (approved) return { requests: one, id: approved.id, amount };
  }
  throw new Error(`no ${kind} was approved in ${TRIES} tries`);
}
