import type { Append, AppendResult } from '@tillstream/event-store';

/** What a parameter of SQL may be. Times are whole numbers, bytes a `Uint8Array`. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * One step of a unit. A `run` step is one statement that changes rows (no RETURNING, no transaction control); with
 * `mustChange` it refuses the unit when it changed none. A unit whose result was `Unknown` is repeated as it is, so
 * write the statement such that the unit's own earlier row counts as changed (`ON CONFLICT … DO UPDATE … WHERE` it is
 * the same owner's).
 */
export type WriteStep =
  | { readonly kind: 'append'; readonly append: Append }
  | {
      readonly kind: 'run';
      readonly sql: string;
      readonly params?: readonly SqlValue[];
      readonly mustChange?: boolean;
    };

export type WriteStepResult =
  Extract<AppendResult, { kind: 'Appended' }> | { readonly kind: 'Ran'; readonly changes: number };

/** A refused unit has written nothing, whichever of its steps refused it. */
export type WriteUnitResult =
  | { readonly kind: 'Done'; readonly steps: readonly WriteStepResult[] }
  | {
      readonly kind: 'Refused';
      /** Index of the step that refused. */
      readonly step: number;
      readonly because: Extract<AppendResult, { kind: 'Conflict' }> | { readonly kind: 'Unchanged' };
    };
