import type { HealthCheck } from '@tillstream/contracts';
import { cachedLookup, withTimeout, type Adapters, type ProcessorStatus } from '@tillstream/platform';
import { LAG_EVENTS_MAX, type ProjectionStatus } from '@tillstream/read-models';
import type { ReadinessGate } from '../api.parts.js';

/** What can only be a warning is looked up at most so often: anybody may ask, and as often as they like. */
const LOOK_EVERY_MS = 2_000;
const LOOK_WITHIN_MS = 3_000;

/**
 * Whether this instance can take requests. Not ready is what another instance could do better: stores that can't be
 * written, a full disk. A processor that is stopped or does not answer is a warning, and so are lists that are behind:
 * every instance would say the same, and looking payments up, which is what is needed then, would end with it.
 */
export class ReadinessChecks {
  private readonly lists: () => Promise<readonly ProjectionStatus[]>;
  private readonly processors: () => Promise<readonly ProcessorStatus[]>;
  private readonly processorTrouble: () => Promise<readonly string[]>;

  constructor(
    private readonly adapters: Pick<
      Adapters,
      'notReady' | 'disk' | 'readModels' | 'processors' | 'processorTrouble'
    >,
    private readonly gate: ReadinessGate,
  ) {
    const { readModels, processors } = adapters;
    this.lists = cachedLookup(LOOK_EVERY_MS, () => readModels.status());
    this.processors = cachedLookup(LOOK_EVERY_MS, () => processors.status());
    this.processorTrouble = cachedLookup(LOOK_EVERY_MS, () => adapters.processorTrouble());
  }

  async look(): Promise<readonly HealthCheck[]> {
    const { closedBecause } = this.gate;
    if (closedBecause !== undefined) return [{ name: 'start', state: 'failed', reason: closedBecause }];
    const others = await Promise.all([
      checked('stores', 'failed', () => this.adapters.notReady()),
      checked('disk', 'failed', async () => {
        const trouble = await this.adapters.disk.trouble();
        return trouble === undefined ? [] : [trouble];
      }),
      checked('lists', 'warning', async () => (await this.lists()).flatMap(troubleOfList)),
      checked('processors', 'warning', async () => [
        ...(await this.processors()).flatMap(troubleOfProcessor),
        ...(await this.processorTrouble()),
      ]),
    ]);
    return [{ name: 'start', state: 'ok' }, ...others.flat()];
  }
}

/** One for each thing that is wrong; what can't be found out in time is wrong. */
async function checked(
  name: string,
  otherwise: 'warning' | 'failed',
  look: () => Promise<readonly string[]>,
): Promise<readonly HealthCheck[]> {
  let reasons: readonly string[];
  try {
    reasons = await withTimeout(LOOK_WITHIN_MS, `a look at ${name}`, look());
  } catch (error) {
    reasons = [
      `it can not be told how ${name} are: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
  if (reasons.length === 0) return [{ name, state: 'ok' }];
  return reasons.map((reason) => ({ name, state: otherwise, reason }));
}

function troubleOfList({ name, status, reason, lagEvents }: ProjectionStatus): readonly string[] {
  if (status === 'Halted') return [`the list of ${name} stands still: ${reason ?? 'no reason given'}`];
  return lagEvents >= LAG_EVENTS_MAX ? [`the list of ${name} is ${lagEvents} events behind, or more`] : [];
}

function troubleOfProcessor({ name, state, stopped }: ProcessorStatus): readonly string[] {
  return [
    ...(stopped
      ? [`processor ${name} is stopped by ${stopped.by} since ${stopped.since}: ${stopped.reason}`]
      : []),
    ...(state === 'Closed' ? [] : [`processor ${name} does not answer: its circuit breaker is ${state}`]),
  ];
}
