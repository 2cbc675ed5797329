import type { BrokenLink } from '@tillstream/event-store';

/** Events that this run has handled. */
export interface Tally {
  /** Events of the target before this run, equal to the source's. */
  readonly present: number;
  /** Events that this run wrote; more may be durable if the last result was lost. */
  readonly copied: number;
  /** Events of the source at the start; undefined while they are counted. */
  readonly total: number | undefined;
}

export type MigrationOutcome =
  | ({ readonly kind: 'Done'; readonly streams: number } & Tally)
  /** All is copied and verified, and the source has grown meanwhile. */
  | ({ readonly kind: 'Grown'; readonly streams: number; readonly added: number } & Tally)
  /** The target is no prefix of the source, and nothing was written. With verify-only: they are not equal. */
  | ({ readonly kind: 'Differs'; readonly difference: string } & Tally)
  /** All was written, and the target reads back differently. */
  | ({ readonly kind: 'Miscopied'; readonly difference: string } & Tally)
  | ({ readonly kind: 'Broken'; readonly link: BrokenLink } & Tally)
  | ({ readonly kind: 'Failed'; readonly reason: string } & Tally)
  | ({ readonly kind: 'Interrupted' } & Tally);
