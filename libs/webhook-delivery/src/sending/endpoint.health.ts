import { LRUCache } from 'lru-cache';
import type { HealthChange } from '../delivery.store.port.js';
import type { DeliveryEndpoint } from '../delivery.types.js';

export interface EndpointHealthLog {
  /** Reports a change of an endpoint's health to operators. Must not throw. */
  changed(endpoint: DeliveryEndpoint, change: HealthChange): void;
}

/** After a report, further changes wait for this time; then the latest state is reported if it differs. */
const QUIET_MS = 60_000;
const REMEMBERED_ENDPOINTS_MAX = 10_000;

interface Reported {
  /** What was reported last, of the two that follow each other. */
  change: Exclude<HealthChange, 'Exhausted'>;
  /** What the endpoint did last. */
  latest: Exclude<HealthChange, 'Exhausted'>;
  endpoint: DeliveryEndpoint;
  quiet: NodeJS.Timeout | undefined;
}

/** Reports changes of endpoints' health, and keeps those of an endpoint that changes all the time from filling the log. */
export class EndpointHealthReports {
  readonly #reported = new LRUCache<string, Reported>({
    max: REMEMBERED_ENDPOINTS_MAX,
    dispose: ({ quiet }) => clearTimeout(quiet),
  });

  constructor(
    private readonly log: EndpointHealthLog,
    private readonly quietMs = QUIET_MS,
  ) {}

  changed(endpoint: DeliveryEndpoint, change: HealthChange): void {
    if (change === 'Exhausted') {
      this.log.changed(endpoint, change);
      return;
    }
    const reported = this.#reported.get(endpoint.id);
    if (reported?.quiet === undefined) {
      this.#report(endpoint, change);
      return;
    }
    reported.latest = change;
    reported.endpoint = endpoint;
  }

  /** Reports nothing more. */
  stop(): void {
    this.#reported.clear();
  }

  #report(endpoint: DeliveryEndpoint, change: Reported['change']): void {
    this.log.changed(endpoint, change);
    const reported: Reported = { change, latest: change, endpoint, quiet: undefined };
    reported.quiet = setTimeout(() => this.#endQuiet(reported), this.quietMs).unref();
    this.#reported.set(endpoint.id, reported);
  }

  #endQuiet(reported: Reported): void {
    reported.quiet = undefined;
    if (reported.latest !== reported.change) this.#report(reported.endpoint, reported.latest);
  }
}
