import type { Batch, Holder, Merchant, Payment, Token } from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';

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
);

export const noReadModels: ReadModelWriter = { writeThrough: () => Promise.resolve() };
