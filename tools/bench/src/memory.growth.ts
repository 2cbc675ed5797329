import { median } from './rounds.statistics.js';

/** Bytes, or whatever was looked at. */
export interface Growth {
  /** Right after the first quarter of the looks. */
  readonly quarter: number;
  readonly end: number;
  readonly peak: number;
}

/** @param looks at equal distances in time. The two compared are medians of a twentieth of them each. */
export function growth(looks: readonly number[]): Growth {
  const part = Math.max(1, Math.floor(looks.length / 20));
  const first = Math.floor(looks.length / 4);
  return {
    quarter: median(looks.slice(first, first + part)),
    end: median(looks.slice(-part)),
    peak: looks.reduce((most, look) => Math.max(most, look), 0),
  };
}
