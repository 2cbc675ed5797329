import type { Finished, HealthChange } from '../delivery.store.port.js';
import type { AttemptResult } from '../delivery.types.js';

/** Whether an endpoint fails, as the tables have it. */
export interface StoredHealth {
  /** Start of the first failure after the last success, ms by the service clock. */
  readonly failingSince: number | null;
  /** Since then the attempts of a delivery ended. */
  readonly exhausted: boolean;
}

const WELL: StoredHealth = { failingSince: null, exhausted: false };
const GONE = 410;

/** The results of one claim that a store writes, and what they say about the health of the endpoints. */
export class FinishedResults {
  readonly #written: string[] = [];
  readonly #endpoints = new Map<string, { readonly before: StoredHealth; after: StoredHealth }>();

  /** @param stored the health of the endpoint before the first of these results */
  add(endpointId: string, stored: StoredHealth, result: AttemptResult, isReplay: boolean): void {
    this.#written.push(result.deliveryId);
    const endpoint = this.#endpoints.get(endpointId) ?? { before: stored, after: stored };
    endpoint.after = healthAfter(endpoint.after, result, isReplay);
    this.#endpoints.set(endpointId, endpoint);
  }

  /** By endpoint, after the results. */
  get health(): ReadonlyMap<string, StoredHealth> {
    return new Map([...this.#endpoints].map(([id, { after }]) => [id, after]));
  }

  get finished(): Finished {
    const failingSince = new Map<string, number | undefined>();
    const health = new Map<string, readonly HealthChange[]>();
    for (const [id, { before, after }] of this.#endpoints) {
      failingSince.set(id, after.failingSince ?? undefined);
      const changes = healthChanges(before, after);
      if (changes.length > 0) health.set(id, changes);
    }
    return { written: [...this.#written], failingSince, health };
  }
}

function healthAfter(
  before: StoredHealth,
  { attempt: { at, status, error }, outcome }: AttemptResult,
  isReplay: boolean,
): StoredHealth {
  if (error === undefined) return before.failingSince === null ? before : WELL;
  // An endpoint that is gone is disabled, and the ends of replays are not those of the schedule.
  const isExhausted = outcome.kind === 'Exhausted' && !isReplay && status !== GONE;
  return { failingSince: before.failingSince ?? at, exhausted: before.exhausted || isExhausted };
}

function healthChanges(before: StoredHealth, after: StoredHealth): HealthChange[] {
  const changes: HealthChange[] = [];
  if (before.failingSince === null && after.failingSince !== null) changes.push('StartedFailing');
  if (!before.exhausted && after.exhausted) changes.push('Exhausted');
  if (before.failingSince !== null && after.failingSince === null) changes.push('Recovered');
  return changes;
}
