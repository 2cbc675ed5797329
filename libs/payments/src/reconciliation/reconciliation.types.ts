import type { Cents, Currency } from '@tillstream/domain';

/** What one side knows of an attempt. `amount`: cents that it approved; 0 if none. */
export interface KnownOutcome {
  readonly outcome: string;
  readonly amount: Cents;
}

export type FindingKind =
  /** The processor answered the attempt, or a bank took the payment back, and the history has no event of it. */
  | 'MissingInHistory'
  /** The history has the outcome of an attempt of this time, and the processor's records do not. */
  | 'MissingAtProcessor'
  /** Both have the attempt, with other amounts. */
  | 'Differs'
  /** A card was verified to be stored, and the history does not have it: its number was in the vault alone. */
  | 'CardLost'
  /** No difference: the history has the attempt without an outcome. The resolver finds it. */
  | 'NoOutcome';

export interface ReconciliationFinding {
  readonly kind: FindingKind;
  /** `<operation id>.<attempt>`, or the bank's id of a return. */
  readonly key: string;
  /** As the processor executed it; `Return`, `Verify`. */
  readonly operation: string;
  readonly merchantId: string;
  readonly currency?: Currency;
  /** As requested, cents. */
  readonly amount: Cents;
  /** Real time, RFC 3339: of the processor's record, else of the event. */
  readonly at: string;
  /** Undefined: nothing. */
  readonly history?: KnownOutcome;
  readonly processor?: KnownOutcome;
  /** `Written`: the events were appended. `Refused`: they were not, and `refusal` says why. Absent: not asked for. */
  readonly broughtIn?: 'Written' | 'Refused';
  readonly refusal?: string;
}

export interface ReconciliationCounts {
  /** Of the processor. */
  readonly records: number;
  /** Of the history, in the time of the file. */
  readonly outcomes: number;
}

/** Whether the finding is still a difference. */
export function isDifference({ kind, broughtIn }: ReconciliationFinding): boolean {
  return kind !== 'NoOutcome' && broughtIn !== 'Written';
}
