/** A claim about the service that is tested on real processes. */
export interface Proof {
  readonly name: string;
  /** What holds if the proof passes: one sentence for `--help`. */
  readonly claim: string;
  /** Figures of the findings below which even the short version has not tested its claim. */
  readonly least?: Readonly<Record<string, number>>;
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

/** Runs the proof. An error of the proof itself, and a figure below its least, are complaints. */
export async function findingsOf(proof: Proof, options: ProofOptions): Promise<Findings> {
  try {
    const { figures, complaints } = await proof.run(options);
    const tooFew = Object.entries(proof.least ?? {})
      .filter(([figure, least]) => !(Number(figures[figure]) >= least))
      .map(
        ([figure, least]) =>
          `the claim was not tested: ${figure} ${figures[figure]}, at least ${least} needed`,
      );
    return { figures, complaints: [...complaints, ...tooFew] };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { figures: {}, complaints: [`the proof itself failed: ${reason}`] };
  }
}

export function roundCount({ quick, rounds }: ProofOptions, full: number, short: number): number {
  return rounds ?? (quick ? short : full);
}
