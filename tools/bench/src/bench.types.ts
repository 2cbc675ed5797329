export interface Target {
  readonly kind: 'at least' | 'at most';
  readonly value: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: '×' | '/s' | 'µs' | 'ms' | 's' | 'MB' | '';
  /** The range of the rounds, if the value is their median. */
  readonly least?: number;
  readonly most?: number;
  /** Shown after the value. */
  readonly detail?: string;
  /** What the figure shows, and what it does not. */
  readonly meaning: string;
  readonly target?: Target;
}

export interface BenchContext {
  /** Short rounds and little data: shows that the benchmark runs; the figures are worth little. */
  readonly quick: boolean;
  /** A new folder for this benchmark's files, removed after it. */
  readonly folder: string;
  /** The measured service writes a CPU profile there. */
  readonly profileFolder?: string | undefined;
  progress(text: string): void;
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  /** How it measures, for the report. */
  readonly method: string;
  /** What the ratios compare: one line under the title. */
  readonly comparison?: string;
  /** Left out of a run of all, unless it is named or `--all` is given. */
  readonly isLong?: boolean;
  run(context: BenchContext): Promise<readonly Figure[]>;
}
