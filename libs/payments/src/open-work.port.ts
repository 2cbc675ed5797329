import type { OperationId } from '@tillstream/domain';
import type { Position } from '@tillstream/event-store';

/**
 * What the resolver still has to do. A small table beside the events, fed from them and rebuildable: open operations are
 * found without scanning history.
 */
export type WorkKind =
  /** A try without an outcome. */
  | 'Outcome'
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

/** What a piece of work is about: an operation, or an account holder. */
export type WorkSubject = OperationId | HolderId;
export type HolderId = `acc_${string}`;

export interface Work {
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
}

export type WorkChange =
  { readonly kind: 'Put'; readonly work: Work } | { readonly kind: 'Remove'; readonly id: string };

export interface OpenWorkStore {
  checkpoint(): Promise<Position | undefined>;
  /** Changes and checkpoint in one transaction; false where the checkpoint is not `from` any more: somebody else did it. */
  advance(changes: readonly WorkChange[], from: Position | undefined, to: Position): Promise<boolean>;
  /** Due work, oldest first, claimed for `leaseMs` of real time: nobody else gets it meanwhile. */
  claimDue(
    now: { readonly service: number; readonly real: number },
    limit: number,
    leaseMs: number,
  ): Promise<Work[]>;
  /** Done with this step: the next one, and the claim ends. Nothing where the work is gone. */
  reschedule(id: string, next: Pick<Work, 'clock' | 'dueAt' | 'step'>): Promise<void>;
  remove(id: string): Promise<void>;
  find(id: string): Promise<Work | undefined>;
  /** In the order of their beginning. */
  list(kind: WorkKind, after: string | undefined, limit: number): Promise<Work[]>;
  countDue(now: { readonly service: number; readonly real: number }): Promise<number>;
  /** One process at a time feeds and resolves; safety does not rest on it. True while `holder` has the lease. */
  holdLease(holder: string, realNow: number, leaseMs: number): Promise<boolean>;
  /** An orderly stop lets another take over at once. */
  releaseLease(holder: string): Promise<void>;
}
