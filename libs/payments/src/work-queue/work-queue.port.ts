import type { NoticeId, OperationId } from '@tillstream/domain';
import type { Checkpoint } from '@tillstream/event-consumers';
import type { HistoryWitness, Position } from '@tillstream/event-store';

/*
 * The open work of the resolver: a small table that a consumer feeds from the events and can rebuild. The resolver
 * finds open operations without a scan of the history.
 */

export type WorkKind =
  /** Find the outcome of an attempt. */
  | 'Outcome'
  /** Find a response that a bank, or a processor after a challenge, promised for later, if no notice brings it. */
  | 'Answer'
  /** Apply a processor notice. */
  | 'Notice'
  /** Expire an authorization. */
  | 'Expiry'
  /** End a hosted form that was not completed in time. */
  | 'FormExpiry'
  /** Make a late inquiry. */
  | 'LateCheck'
  /** Reverse a late execution. */
  | 'Reversal'
  /** Give back the reserved limit of an unreferenced refund, if the refund moves no money. */
  | 'RefundLimit'
  /** Destroy the keys of a removed token, or of one whose verification was not executed. */
  | 'KeyDestruction'
  /** Finish the erasure of a holder (`acc_…`), or remove an updated token (`trx_…`) whose new holder was erased. */
  | 'Erasure';

export type WorkSubject = OperationId | HolderId | NoticeId;
export type HolderId = `acc_${string}`;

export interface WorkItem {
  /** `<kind>:<subject>`. */
  readonly id: string;
  readonly kind: WorkKind;
  readonly subject: WorkSubject;
  readonly merchantId?: string;
  /** The clock of `dueAt`. */
  readonly clock: 'Real' | 'Service';
  /** Ms since 1970. `null`: the item waits for an operator. */
  readonly dueAt: number | null;
  /** Runs so far. */
  readonly step: number;
  /** Service's clock, ms since 1970: the time of the event that made the item. */
  readonly since: number;
  /** The client got `Interrupted`, so the outcome counts as unknown before its inquiry is due. */
  readonly interrupted?: true;
}

export type WorkItemChange =
  | { readonly kind: 'Put'; readonly work: WorkItem }
  | { readonly kind: 'Remove'; readonly id: string }
  | { readonly kind: 'Count'; readonly what: CountedFact; readonly by: number };

/** Facts that operators want to see counted over the whole history. */
export type CountedFact = 'LateApproval';

/**
 * Selects unknown outcomes: those whose client got `Interrupted`, those whose client can't wait any more, and promised
 * responses that the resolver no longer inquires about. An operation whose client may still wait is not one of them.
 */
export interface UnknownOutcomesQuery {
  /** Real time, ms: no client waits any more if the first inquiry is due by then. */
  readonly dueBy: number;
  /** Default: all merchants. */
  readonly merchantIds?: readonly string[];
  /** The last item of the previous page. */
  readonly after?: Pick<WorkItem, 'since' | 'subject'>;
  readonly limit: number;
}

export interface UnknownOutcomeCount {
  readonly count: number;
  readonly oldestSince: number | undefined;
  /** Those that wait for an operator: `dueAt` is null. */
  readonly givenUp: number;
}

export interface WorkQueue {
  /** The last event that was fed. Undefined before the first. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /** Stores changes and checkpoint in one transaction. False if another process fed the queue after `from`. */
  advance(
    changes: readonly WorkItemChange[],
    from: Position | undefined,
    to: HistoryWitness,
  ): Promise<boolean>;
  /** Deletes all items, all counts and the checkpoint in one transaction. */
  reset(): Promise<void>;
  /** Claims due items for `leaseMs` of real time, the longest due first. No other process gets them before that. */
  claimDue(
    now: { readonly service: number; readonly real: number },
    limit: number,
    leaseMs: number,
  ): Promise<WorkItem[]>;
  /** Stores the next run and ends the claim. No effect if the item was removed. */
  reschedule(id: string, next: Pick<WorkItem, 'clock' | 'dueAt' | 'step'>): Promise<void>;
  /** Removes the item as it was claimed. An item that was put again since then stays. */
  remove(work: WorkItem): Promise<void>;
  find(id: string): Promise<WorkItem | undefined>;
  /** Ordered by `id`. @param after the last `id` of the previous page */
  list(kind: WorkKind, after: string | undefined, limit: number): Promise<WorkItem[]>;
  countDue(now: { readonly service: number; readonly real: number }): Promise<number>;
  /** Claims an item, due or not. Undefined if it was removed, or another process has claimed it. */
  claim(id: string, realNow: number, leaseMs: number): Promise<WorkItem | undefined>;
  /** Ordered by `since`, then by `subject`. */
  unknownOutcomes(query: UnknownOutcomesQuery): Promise<WorkItem[]>;
  /** Counts the unknown outcomes of all merchants, up to `most`. */
  countUnknown(dueBy: number, most: number): Promise<UnknownOutcomeCount>;
  /** Over the whole history that was fed. */
  countOf(what: CountedFact): Promise<number>;
}
