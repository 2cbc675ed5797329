import type { BrokenLink } from '@tillstream/event-store';

/** Events, as far as this run came. */
export interface Tally {
  /** In the target before this run, the same as in the source. */
  readonly present: number;
  /** Written by this run; more may be, if the last answer was lost. */
  readonly copied: number;
  /** In the source when this run began; undefined while they are being counted. */
  readonly total: number | undefined;
}

export type MigrationOutcome =
  | ({ readonly kind: 'Done'; readonly streams: number } & Tally)
  /** All is copied and verified, and the source has more by now. */
  | ({ readonly kind: 'Grown'; readonly streams: number; readonly added: number } & Tally)
  /** The target is no beginning of the source; nothing was written. Or, where they are compared only, not equal. */
  | ({ readonly kind: 'Differs'; readonly difference: string } & Tally)
  /** All was written, and something else was read back. */
  | ({ readonly kind: 'Miscopied'; readonly difference: string } & Tally)
  | ({ readonly kind: 'Broken'; readonly link: BrokenLink } & Tally)
  | ({ readonly kind: 'Failed'; readonly reason: string } & Tally)
  | ({ readonly kind: 'Interrupted' } & Tally);
