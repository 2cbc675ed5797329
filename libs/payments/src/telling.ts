import type { BatchState, HolderState, MerchantState, PaymentState, TokenState } from '@tillstream/domain';
import type { Loaded } from './journal.js';
import type { ReadModelWriter } from './read-model.port.js';

/* Read your writes: before a client is answered, the read models have what it is answered for. */

/** Most operations are over by then, and are told of once. */
const LISTED_AFTER_MS = 100;

/**
 * An operation that takes longer is listed while it does: a client whose connection broke finds it
 * (`docs/spec/lists.md#read-your-writes`).
 */
export async function tellingMeanwhile<Outcome>(
  tell: () => Promise<void>,
  outcome: Promise<Outcome>,
): Promise<Outcome> {
  const listing = setTimeout(() => void tell(), LISTED_AFTER_MS);
  try {
    return await outcome;
  } finally {
    clearTimeout(listing);
  }
}

export async function tellOfPayment(
  readModels: ReadModelWriter,
  { stream, history: events, state }: Loaded<PaymentState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.written({ category: 'payment', stream, events, state });
}

export async function tellOfToken(
  readModels: ReadModelWriter,
  { stream, history: events, state }: Loaded<TokenState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.written({ category: 'token', stream, events, state });
}

export async function tellOfHolder(
  readModels: ReadModelWriter,
  { stream, history: events, state }: Loaded<HolderState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.written({ category: 'holder', stream, events, state });
}

export async function tellOfMerchant(
  readModels: ReadModelWriter,
  { stream, history: events, state }: Loaded<MerchantState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.written({ category: 'merchant', stream, events, state });
}

export async function tellOfBatch(
  readModels: ReadModelWriter,
  { stream, history: events, state }: Loaded<BatchState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.written({ category: 'batch', stream, events, state });
}
