import type {
  Batch,
  Settlement,
  SettlementPage,
  SettlementPageState,
  SettlementState,
  Holder,
  Merchant,
  Payment,
  Token,
  BatchState,
  HolderState,
  MerchantState,
  PaymentState,
  TokenState,
} from '@tillstream/domain';
import { streamCategory, type RecordedEvent } from '@tillstream/event-store';

import type { LoadedStream } from '../stream-repository/repositories.js';

/**
 * Read-model write-through: the process that appended events writes their rows before it responds. So every list on every
 * instance has them at once. The projector repairs rows that could not be written.
 */
export interface ReadModelWriter {
  /** Resolves when the rows are written. Never rejects: a row that can't be written never fails a payment. */
  writeThrough(stream: WrittenStream): Promise<void>;
}

export type WrittenStream = {
  readonly stream: string;
  /** All events of the stream: this call also writes rows that an earlier call could not write. */
  readonly events: readonly Pick<RecordedEvent, 'type' | 'data' | 'revision'>[];
} & (
  | { readonly category: 'payment'; readonly state: Payment }
  | { readonly category: 'token'; readonly state: Token }
  | { readonly category: 'holder'; readonly state: Holder }
  | { readonly category: 'merchant'; readonly state: Merchant }
  | { readonly category: 'batch'; readonly state: Batch }
  | { readonly category: 'settlement'; readonly state: Settlement }
  | { readonly category: 'settlementpage'; readonly state: SettlementPage }
);

export const noReadModels: ReadModelWriter = { writeThrough: () => Promise.resolve() };

/** Most operations end sooner, and are written once. */
const LISTED_AFTER_MS = 100;

/**
 * Writes an operation that takes longer to the lists while it runs, so that a client whose connection broke finds it
 * (`docs/spec/lists.md#read-your-writes`).
 */
export async function writeThroughWhilePending<Outcome>(
  write: () => Promise<void>,
  outcome: Promise<Outcome>,
): Promise<Outcome> {
  const timer = setTimeout(() => void write(), LISTED_AFTER_MS);
  try {
    return await outcome;
  } finally {
    clearTimeout(timer);
  }
}

type ReadModelState =
  | PaymentState
  | TokenState
  | HolderState
  | MerchantState
  | BatchState
  | SettlementState
  | SettlementPageState;

export async function writeThrough(
  readModels: ReadModelWriter,
  { stream, history: events, state }: LoadedStream<ReadModelState>,
): Promise<void> {
  if (state.status === 'None') return;
  // TypeScript does not see that `category` and `state` belong together.
  await readModels.writeThrough({ category: streamCategory(stream), stream, events, state } as WrittenStream);
}
