import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { median } from '../report/rounds.statistics.js';

export const SAMPLES_WANTED = 'samples';

/** One run of a fixed piece of work. */
export interface CoreSample {
  /** Ms on the clock of `now`. */
  readonly at: number;
  readonly ms: number;
}

/** From one instant to another, in ms on the clock of `now`. */
export type Span = readonly [from: number, to: number];

const SAMPLER = new URL('../../dist/load/core.sampler.js', import.meta.url);

/**
 * Samples how fast a core is, until `stop`. The cores of a virtual machine lose up to half of their speed while other
 * machines use the same physical cores, and neither the load nor the stolen time shows it.
 */
export function sampleCoreSpeed(): { stop(): Promise<readonly CoreSample[]> } {
  const sampler = new Worker(SAMPLER);
  return {
    async stop() {
      sampler.postMessage(SAMPLES_WANTED);
      const [samples] = (await once(sampler, 'message')) as [readonly CoreSample[]];
      return samples;
    },
  };
}

/** For each span: the share (0 to 1) of the best speed in all samples. The median, because some samples were interrupted. */
export function shareOfBestSpeed(samples: readonly CoreSample[], spans: readonly Span[]): readonly number[] {
  const best = Math.min(...samples.map(({ ms }) => ms));
  return spans.map(([from, to]) => {
    const within = samples.filter(({ at }) => at >= from && at < to);
    return best / median(within.map(({ ms }) => ms));
  });
}
