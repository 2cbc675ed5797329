import { eventCodec, type Event } from '../../shared/aggregate.js';

/** One stream for all restores of a service. */
export const HISTORY_RESTORE_STREAM = 'historyrestore-service';

/** Storage: these shapes never change. An older copy of the events was restored, and compared with the processors' records. */
export type HistoryRestoreEvent =
  Event<'HistoryRestored', HistoryRestored> | Event<'RestoreReconciled', RestoreReconciled>;

export interface HistoryRestored {
  readonly at: string;
  /** Of the copy: random. */
  readonly copyId: string;
  /** When the copy was made, real time. What processors executed later is not in it. */
  readonly takenAt: string;
  /** The same as in the event's metadata, so that the record is complete without it. */
  readonly by: string;
}

/** The service may take payments again. */
export interface RestoreReconciled {
  readonly at: string;
  readonly copyId: string;
  readonly by: string;
  /** The operator's reason: what was compared, or why nothing had to be. */
  readonly why: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const historyRestoreCodec = eventCodec<HistoryRestoreEvent>({
  types: { HistoryRestored: [], RestoreReconciled: [] },
});

/** The last restore, if no operator has recorded since that it is reconciled. */
export function openRestore(history: readonly HistoryRestoreEvent[]): HistoryRestored | undefined {
  const last = history.at(-1);
  return last?.type === 'HistoryRestored' ? last.data : undefined;
}
