import type { Append, AppendResult } from '@tillstream/event-store';

/** A parameter of SQL. Times are whole numbers, bytes are a `Uint8Array`. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * One step of a unit. A `run` step is one statement that changes rows (no RETURNING, no transaction control). With
 * `mustChange` it refuses the unit if it changes no row. A caller repeats a unit whose result was `Unknown`, so the
 * statement must count the unit's own earlier row as changed (`ON CONFLICT … DO UPDATE … WHERE` the owner is the same).
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

/** A refused unit has written nothing. */
export type WriteUnitResult =
  | { readonly kind: 'Done'; readonly steps: readonly WriteStepResult[] }
  | {
      readonly kind: 'Refused';
      /** Index of the step that refused the unit. */
      readonly step: number;
      readonly because: Extract<AppendResult, { kind: 'Conflict' }> | { readonly kind: 'Unchanged' };
    };
