import type { BatchState, HolderState, MerchantState, PaymentState, TokenState } from '@tillstream/domain';
import type { LoadedStream } from '../stream-repository/stream-repository.js';
import type { ReadModelWriter } from './read-model-writer.port.js';

/* Read your writes: before a client is answered, the read models have what it is answered for. */

/** Most operations are over by then, and are told of once. */
const LISTED_AFTER_MS = 100;

/**
 * An operation that takes longer is listed while it does: a client whose connection broke finds it
 * (`docs/spec/lists.md#read-your-writes`).
 */
export async function writeThroughWhilePending<Outcome>(
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

export async function writeThroughPayment(
  readModels: ReadModelWriter,
  { stream, history: events, state }: LoadedStream<PaymentState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.writeThrough({ category: 'payment', stream, events, state });
}

export async function writeThroughToken(
  readModels: ReadModelWriter,
  { stream, history: events, state }: LoadedStream<TokenState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.writeThrough({ category: 'token', stream, events, state });
}

export async function writeThroughHolder(
  readModels: ReadModelWriter,
  { stream, history: events, state }: LoadedStream<HolderState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.writeThrough({ category: 'holder', stream, events, state });
}

export async function writeThroughMerchant(
  readModels: ReadModelWriter,
  { stream, history: events, state }: LoadedStream<MerchantState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.writeThrough({ category: 'merchant', stream, events, state });
}

export async function writeThroughBatch(
  readModels: ReadModelWriter,
  { stream, history: events, state }: LoadedStream<BatchState>,
): Promise<void> {
  if (state.status !== 'None') await readModels.writeThrough({ category: 'batch', stream, events, state });
}
