import type { Batch, Holder, Merchant, Payment, Token } from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';

/**
 * Read your writes: whoever appended tells the read models before it answers, so that every list has it at once, on every
 * instance. What is missed here the projector repairs.
 */
export interface ReadModelWriter {
  /** Its rows are there when this resolves. Never rejects: a row that can't be written never fails a payment. */
  writeThrough(stream: WrittenStream): Promise<void>;
}

export type WrittenStream = {
  readonly stream: string;
  /** All events of the stream: what an earlier call could not write is made up for. */
  readonly events: readonly Pick<RecordedEvent, 'type' | 'data' | 'revision'>[];
} & (
  | { readonly category: 'payment'; readonly state: Payment }
  | { readonly category: 'token'; readonly state: Token }
  | { readonly category: 'holder'; readonly state: Holder }
  | { readonly category: 'merchant'; readonly state: Merchant }
  | { readonly category: 'batch'; readonly state: Batch }
);

export const noReadModels: ReadModelWriter = { writeThrough: () => Promise.resolve() };
