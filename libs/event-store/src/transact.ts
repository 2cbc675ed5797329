import type { Append, AppendResult, EventStore } from './event-store.js';
import type { NewEvent, RecordedEvent } from './event.js';

export interface Transaction<T> {
  readonly stream: string;
  /**
   * Called with the whole stream, oldest first, and again after each conflict. Gives the events to append (none:
   * nothing is written) and a value of its own. Their metadata has no `hash` yet: `transact` adds it.
   */
  decide(history: readonly RecordedEvent[]): { readonly events: readonly NewEvent[]; readonly value: T };
  /** The whole stream as the caller already knows it ([] for a stream just named): saves the first read. */
  readonly known?: readonly RecordedEvent[];
  /** Decisions at most; left out: 4 (a request is tried again three times). `Infinity` for facts already received. */
  readonly attempts?: number;
  /** How long an append without a known result is repeated as it is, ms of real time; left out: 2000. Then `Unknown` is thrown. */
  readonly patienceMs?: number;
  /** Replaces `store.append`, for a write that rides in the same commit. */
  readonly append?: (append: Append) => Promise<AppendResult>;
}

export type TransactionResult<T> =
  | { readonly kind: 'Done'; readonly value: T; readonly history: readonly RecordedEvent[] }
  /** Others were faster each time; nothing was written. */
  | { readonly kind: 'Conflict' };
