import { median } from './rounds.statistics.js';

/** In the unit of the samples. */
export interface Growth {
  /** Median right after the first quarter of the samples. */
  readonly quarter: number;
  readonly end: number;
  readonly peak: number;
}

/** @param samples at equal intervals; the medians are those of a twentieth of them */
export function growth(samples: readonly number[]): Growth {
  const part = Math.max(1, Math.floor(samples.length / 20));
  const first = Math.floor(samples.length / 4);
  return {
    quarter: median(samples.slice(first, first + part)),
    end: median(samples.slice(-part)),
    peak: samples.reduce((most, sample) => Math.max(most, sample), 0),
  };
}
