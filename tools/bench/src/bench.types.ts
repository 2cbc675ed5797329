export interface Target {
  readonly kind: 'at least' | 'at most';
  readonly value: number;
}

export interface Figure {
  /** What was measured, in a few words. */
  readonly name: string;
  readonly value: number;
  readonly unit: '×' | '/s' | 'µs' | 'ms' | 's' | 'MB' | '';
  /** Of the rounds, where the value is their median. */
  readonly least?: number;
  readonly most?: number;
  /** More of it, shown behind the value. */
  readonly detail?: string;
  /** What the figure tells, and what it does not. */
  readonly meaning: string;
  readonly target?: Target;
}

export interface Stage {
  /** Shorter and with less data: shows that it runs, its figures are worth little. */
  readonly quick: boolean;
  /** A new folder for this benchmark's files, removed after it. */
  readonly folder: string;
  /** Where a service that is measured writes a profile of its processor time. */
  readonly profileFolder?: string;
  /** Shown on a terminal while it runs. */
  progress(text: string): void;
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  /** How it measures, for the report. */
  readonly method: string;
  /** Too long for a run of all: measured where it is named, or all are asked for. */
  readonly isLong?: boolean;
  run(stage: Stage): Promise<readonly Figure[]>;
}

export function isMet(value: number, { kind, value: wanted }: Target): boolean {
  return kind === 'at least' ? value >= wanted : value <= wanted;
}
