import type { HealthCheck } from '@tillstream/contracts';
import type { Adapters, ProcessorStatus } from '@tillstream/platform';
import { LAG_EVENTS_MAX, type ProjectionStatus } from '@tillstream/read-models';
import { cachedLookup, errorMessage, withTimeout } from '@tillstream/runtime';
import type { ReadinessGate } from '../api.parts.js';

/** Warnings are computed at most this often: the endpoint needs no key, and any caller may poll it. */
const CHECK_EVERY_MS = 2_000;
const CHECK_WITHIN_MS = 3_000;

/**
 * Whether this instance can take requests. It is not ready if another instance could do better: a store can't be written,
 * a disk is full. A stopped or unreachable processor is a warning, and so are lists that are behind: every instance would
 * have the same state, and without a ready instance payments could not be looked up.
 */
export class ReadinessChecks {
  private readonly lists: () => Promise<readonly ProjectionStatus[]>;
  private readonly processors: () => Promise<readonly ProcessorStatus[]>;
  private readonly processorWarnings: () => Promise<readonly string[]>;

  constructor(
    private readonly adapters: Pick<
      Adapters,
      'notReady' | 'disk' | 'readModels' | 'processors' | 'processorTrouble'
    >,
    private readonly gate: ReadinessGate,
  ) {
    const { readModels, processors } = adapters;
    this.lists = cachedLookup(CHECK_EVERY_MS, () => readModels.status());
    this.processors = cachedLookup(CHECK_EVERY_MS, () => processors.status());
    this.processorWarnings = cachedLookup(CHECK_EVERY_MS, () => adapters.processorTrouble());
  }

  async run(): Promise<readonly HealthCheck[]> {
    const { closedBecause } = this.gate;
    if (closedBecause !== undefined) return [{ name: 'start', state: 'failed', reason: closedBecause }];
    const others = await Promise.all([
      checked('stores', 'failed', () => this.adapters.notReady()),
      checked('disk', 'failed', async () => {
        const trouble = await this.adapters.disk.trouble();
        return trouble === undefined ? [] : [trouble];
      }),
      checked('lists', 'warning', async () => (await this.lists()).flatMap(listWarnings)),
      checked('processors', 'warning', async () => [
        ...(await this.processors()).flatMap(processorReasons),
        ...(await this.processorWarnings()),
      ]),
    ]);
    return [{ name: 'start', state: 'ok' }, ...others.flat()];
  }
}

/** One check for each reason. A check that throws or takes too long has this as its reason. */
async function checked(
  name: string,
  otherwise: 'warning' | 'failed',
  find: () => Promise<readonly string[]>,
): Promise<readonly HealthCheck[]> {
  let reasons: readonly string[];
  try {
    reasons = await withTimeout(CHECK_WITHIN_MS, `the check of ${name}`, find());
  } catch (error) {
    reasons = [`the check of ${name} failed: ${errorMessage(error)}`];
  }
  if (reasons.length === 0) return [{ name, state: 'ok' }];
  return reasons.map((reason) => ({ name, state: otherwise, reason }));
}

function listWarnings({ name, status, reason, lagEvents }: ProjectionStatus): readonly string[] {
  if (status === 'Halted') return [`the list of ${name} is halted: ${reason ?? 'no reason given'}`];
  return lagEvents >= LAG_EVENTS_MAX ? [`the list of ${name} is ${lagEvents} events behind, or more`] : [];
}

function processorReasons({ name, state, stopped }: ProcessorStatus): readonly string[] {
  return [
    ...(stopped
      ? [`processor ${name} is stopped by ${stopped.by} since ${stopped.since}: ${stopped.reason}`]
      : []),
    ...(state === 'Closed' ? [] : [`processor ${name} does not answer: its circuit breaker is ${state}`]),
  ];
}
