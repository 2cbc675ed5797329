import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaderLog, LeaderLoop } from './leader.loop.js';
import type { Leases } from './leases.port.js';

export interface LeaderOptions {
  readonly leases: Leases;
  /** The process that holds this lease runs the activities. */
  readonly lease: string;
  readonly log: LeaderLog;
}

/** A process that does not renew its lease for this long loses it. */
const LEASE_MS = 5_000;
/** After an orderly stop of the leader another process takes over within this time. */
const LEASE_RENEWAL_MS = 1_000;

/** Runs activities while this process holds the lease. */
export class Leader {
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;
  #renewals: Promise<void> = Promise.resolve();
  /** Ms of `performance.now()`. Counted from before the request, so this process never believes it leads for too long. */
  #leadsUntil = Number.NEGATIVE_INFINITY;
  #failure: string | undefined;

  constructor(
    private readonly options: LeaderOptions,
    private readonly activities: readonly LeaderLoop[],
  ) {}

  /** As far as this process knows. */
  get leads(): boolean {
    return performance.now() < this.#leadsUntil;
  }

  /** Starts the activities in the background. Call it once. Resolves when this process knows whether it leads. Never rejects. */
  start(): Promise<void> {
    this.#running = Promise.all(this.activities.map((activity) => activity.run(() => this.leads)));
    const firstRequest = this.#requestLease();
    this.#renewals = firstRequest.then(() => this.#renewLease());
    return firstRequest;
  }

  /** Waits for the current rounds, then releases the lease. Never rejects. */
  async stop(): Promise<void> {
    for (const activity of this.activities) activity.stop();
    if (this.#running === undefined) return;
    await this.#running;
    this.#stopping.abort();
    await this.#renewals;
    this.#leadsUntil = Number.NEGATIVE_INFINITY;
    // A lease that this process can't release runs out by itself.
    await this.options.leases.release(this.options.lease).catch(() => undefined);
  }

  /** Runs until all rounds have ended, so that a long last round keeps the lease. */
  async #renewLease(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(LEASE_RENEWAL_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#requestLease();
    }
  }

  async #requestLease(): Promise<void> {
    const { leases, lease, log } = this.options;
    const ledBefore = this.leads;
    const requestedAt = performance.now();
    try {
      const isHeld = await leases.hold(lease, LEASE_MS);
      this.#leadsUntil = isHeld ? requestedAt + LEASE_MS : Number.NEGATIVE_INFINITY;
      if (this.#failure !== undefined) log.recovered(lease);
      this.#failure = undefined;
    } catch (error) {
      this.#leadsUntil = Number.NEGATIVE_INFINITY;
      const reason = `its lease can't be taken: ${error instanceof Error ? error.message : String(error)}`;
      if (reason !== this.#failure) log.failing(lease, (this.#failure = reason));
    }
    if (this.leads && !ledBefore) for (const activity of this.activities) activity.wake();
  }
}
