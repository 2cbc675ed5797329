/** A claim about the service that is tested on real processes. */
export interface Proof {
  readonly name: string;
  /** What holds if the proof passes: one sentence for `--help`. */
  readonly claim: string;
  run(options: ProofOptions): Promise<Findings>;
}

export interface ProofOptions {
  /** The short version, for CI. */
  readonly quick: boolean;
  /** Replaces the proof's own count; the claim says what is counted. */
  readonly rounds?: number;
  /** Repeats the random choices of an earlier run. Left out: a new seed. */
  readonly seed?: number;
  say(line: string): void;
}

export interface Findings {
  /** Counts for the result line. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Contradictions to the claim; empty if it held. */
  readonly complaints: readonly string[];
}

export function roundCount({ quick, rounds }: ProofOptions, full: number, short: number): number {
  return rounds ?? (quick ? short : full);
}
