/** A claim about the service that is tried on real processes. */
export interface Proof {
  readonly name: string;
  /** One sentence for `--help`: what holds if it passes. */
  readonly claim: string;
  run(options: ProofOptions): Promise<Findings>;
}

export interface ProofOptions {
  /** The short version, for CI. */
  readonly quick: boolean;
  /** Instead of the proof's own count; what it counts is its own affair and said in its claim. */
  readonly rounds?: number;
  /** Of a proof that draws by lot; left out: another one each time. */
  readonly seed?: number;
  /** One line of progress. */
  say(line: string): void;
}

export interface Findings {
  /** What was done and seen, for the result line. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** What contradicts the claim; empty: it held. */
  readonly complaints: readonly string[];
}

export function roundsOf({ quick, rounds }: ProofOptions, full: number, short: number): number {
  return rounds ?? (quick ? short : full);
}
