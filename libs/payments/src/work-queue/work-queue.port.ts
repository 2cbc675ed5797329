import type { NoticeId, OperationId } from '@tillstream/domain';
import type { Checkpoint } from '@tillstream/event-consumers';
import type { HistoryWitness, Position } from '@tillstream/event-store';

/**
 * What the resolver still has to do. A small table beside the events, fed from them and rebuildable: open operations are
 * found without scanning history.
 */
export type WorkKind =
  /** A try without an outcome. */
  | 'Outcome'
  /** An answer that comes later: of a bank, or after a challenge. Inquired where no notice brings it. */
  | 'Answer'
  /** A notice of a processor that has to be applied to its payment. */
  | 'Notice'
  /** An authorization's end of life. */
  | 'Expiry'
  /** One more look at what was closed as "did not happen". */
  | 'LateCheck'
  /** A late approval to undo. */
  | 'Reversal'
  /** A reserved amount of an unreferenced refund, to be given back should the refund not happen. */
  | 'RefundLimit'
  /** The keys of a token that was removed, or of one whose check was never received. */
  | 'KeyDestruction'
  /** What follows a holder's erasure; also, under its operation, of a token that was given to a holder. */
  | 'Erasure';

/** What a piece of work is about: an operation, an account holder, or a notice. */
export type WorkSubject = OperationId | HolderId | NoticeId;
export type HolderId = `acc_${string}`;

export interface WorkItem {
  /** `<kind>:<subject>`. */
  readonly id: string;
  readonly kind: WorkKind;
  readonly subject: WorkSubject;
  readonly merchantId?: string;
  /** By which clock `dueAt` counts. */
  readonly clock: 'Real' | 'Service';
  /** ms since 1970. `null`: it waits for an operator. */
  readonly dueAt: number | null;
  /** How many times it was tried. */
  readonly step: number;
  /** Service's clock, ms: when it began. */
  readonly since: number;
  /** Of an outcome: its caller was told that nobody knows it, so it is unknown before its inquiry is due. */
  readonly interrupted?: true;
}

export type WorkItemChange =
  | { readonly kind: 'Put'; readonly work: WorkItem }
  | { readonly kind: 'Remove'; readonly id: string }
  /** One more of what is counted for good. */
  | { readonly kind: 'Count'; readonly what: CountedFact; readonly by: number };

/** Facts of which an operator wants to know how many there were. */
export type CountedFact = 'LateApproval';

/**
 * Outcomes that nobody knows: those of which a caller was told so, those whose caller must have gone by now, and answers
 * that were promised for later and are not asked for any more. What a caller still waits for is none of them.
 */
export interface UnknownOutcomesQuery {
  /** Real time, ms: who waited for a first inquiry due by then is gone. */
  readonly dueBy: number;
  /** Any of these; left out: of all. */
  readonly merchantIds?: readonly string[];
  /** The place of the last one of the page before. */
  readonly after?: Pick<WorkItem, 'since' | 'subject'>;
  readonly limit: number;
}

export interface UnknownOutcomeCount {
  readonly count: number;
  readonly oldestSince: number | undefined;
  /** They wait for an operator: `dueAt` is null. */
  readonly givenUp: number;
}

export interface WorkQueue {
  /** The last event that it was fed; undefined before the first. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /** Changes and checkpoint in one transaction; false if the checkpoint is not `from` any more: another process fed it. */
  advance(
    changes: readonly WorkItemChange[],
    from: Position | undefined,
    to: HistoryWitness,
  ): Promise<boolean>;
  /** Forgets all work, all counts and the checkpoint in one transaction. */
  reset(): Promise<void>;
  /** Due work, oldest first, claimed for `leaseMs` of real time: nobody else gets it meanwhile. */
  claimDue(
    now: { readonly service: number; readonly real: number },
    limit: number,
    leaseMs: number,
  ): Promise<WorkItem[]>;
  /** Done with this step: the next one, and the claim ends. Nothing where the work is gone. */
  reschedule(id: string, next: Pick<WorkItem, 'clock' | 'dueAt' | 'step'>): Promise<void>;
  /** Done with it, as it was claimed: what was put anew meanwhile is other work, and stays. */
  remove(work: WorkItem): Promise<void>;
  find(id: string): Promise<WorkItem | undefined>;
  /** In the order of their beginning. */
  list(kind: WorkKind, after: string | undefined, limit: number): Promise<WorkItem[]>;
  countDue(now: { readonly service: number; readonly real: number }): Promise<number>;
  /** This very piece, whether or not it is due; undefined where it is gone or somebody has it. */
  claim(id: string, realNow: number, leaseMs: number): Promise<WorkItem | undefined>;
  /** Longest unknown first, equal ones by their subject. */
  unknownOutcomes(query: UnknownOutcomesQuery): Promise<WorkItem[]>;
  /** Of all merchants, counted up to `most`; `examinedUntil` of the first of them; how many of them are no longer asked about. */
  countUnknown(dueBy: number, most: number): Promise<UnknownOutcomeCount>;
  /** So far, over all of the history that was fed. */
  countOf(what: CountedFact): Promise<number>;
}
