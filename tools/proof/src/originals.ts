import { approvedIn, ask, type Asked } from './asked.js';
import type { Client } from './client.js';

/** An approved sale or authorization, for what a proof then does with it. */
export interface Original {
  readonly asked: Asked;
  readonly id: string;
  readonly amount: number;
}

const WITHIN_MS = 60_000;
const TRIES = 5;

/** Tried again under a new key where a busy machine missed a deadline. Every try is put into `asked`. */
export async function makeOriginal(
  client: Client,
  kind: 'Sale' | 'Auth',
  amount: number,
  paymentMethodId: string | undefined,
  asked: Asked[],
): Promise<Original> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const one = ask(kind, { amount, ...(paymentMethodId !== undefined && { paymentMethodId }) });
    asked.push(one);
    await client.insist(one, WITHIN_MS);
    const approved = approvedIn(one);
    if (approved) return { asked: one, id: approved.id, amount };
  }
  throw new Error(`no ${kind} was approved in ${TRIES} tries`);
}
