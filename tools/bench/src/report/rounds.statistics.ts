import type { Figure } from '../bench.types.js';

/** One number per round and side. The warm-up round before the first is not in it. */
export type Rounds<Side extends string> = Readonly<Record<Side, readonly number[]>>;

/** The parts of a figure that compares two sides. */
export type Ratio = Required<Pick<Figure, 'value' | 'least' | 'most' | 'unit'>>;

/**
 * Runs the sides in turn, A B C A B C …, so that other work on the machine affects all alike. Each side measures
 * itself. Garbage of one side is collected before the next (`--expose-gc`).
 */
export async function interleaved<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => number | Promise<number>>>,
  progress: (text: string) => void,
): Promise<Rounds<Side>> {
  const names = Object.keys(sides) as Side[];
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      globalThis.gc?.();
      const value = await sides[name]();
      if (round > 0) results[name].push(value);
    }
    progress(`round ${round} of ${rounds}`);
  }
  return results;
}

/** The mean of the two middle values for an even number. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no value has no median');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** The median and the range of the rounds. */
export function spread(values: readonly number[]): Pick<Ratio, 'value' | 'least' | 'most'> {
  return { value: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** The least value that is not below `share` (0 to 1) of all. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('no value has no percentile');
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Compares round by round, so that a slow minute of the machine affects both sides of a quotient. */
export function ratio(ours: readonly number[], theirs: readonly number[]): Ratio {
  if (ours.length !== theirs.length) throw new RangeError('both sides have the same rounds');
  const quotients = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return { ...spread(quotients), unit: '×' };
}
