import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaderActivity, LeaderLog } from './leader.loop.js';
import type { Leases } from './leases.port.js';

export interface LeaderOptions {
  readonly leases: Leases;
  /** The process that holds this lease runs what is led; the others wait for it. */
  readonly lease: string;
  readonly log: LeaderLog;
}

/** A process that is silent for so long has lost its lease. */
export const LEASE_MS = 5_000;
/** Also how soon after an orderly stop of the leader another process takes over. */
const LEASE_RENEWAL_MS = 1_000;

/** Holds a lease for what runs under it. */
export class Leader {
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;
  #holding: Promise<void> = Promise.resolve();
  /** Ms of `performance.now()`, from before the lease was asked for: by then another process may have it. */
  #leadsUntil = Number.NEGATIVE_INFINITY;
  #reason: string | undefined;

  constructor(
    private readonly options: LeaderOptions,
    private readonly led: readonly LeaderActivity[],
  ) {}

  /** As far as this process knows. */
  get leads(): boolean {
    return performance.now() < this.#leadsUntil;
  }

  /** Begins in the background. Call it once. Resolves when it has asked for the lease, so that it knows whether it leads. */
  start(): Promise<void> {
    this.#running = Promise.all(this.led.map((one) => one.run(() => this.leads)));
    const asked = this.#holdOnce();
    this.#holding = asked.then(() => this.#hold());
    return asked;
  }

  /** Waits for the rounds in hand, then frees the lease. Never rejects. */
  async stop(): Promise<void> {
    for (const one of this.led) one.stop();
    if (this.#running === undefined) return;
    await this.#running;
    this.#stopping.abort();
    await this.#holding;
    this.#leadsUntil = Number.NEGATIVE_INFINITY;
    // Where it can't be freed, it runs out by itself.
    await this.options.leases.release(this.options.lease).catch(() => undefined);
  }

  /** Until all rounds are over: a long last one keeps the lease. */
  async #hold(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(LEASE_RENEWAL_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#holdOnce();
    }
  }

  async #holdOnce(): Promise<void> {
    const { leases, lease, log } = this.options;
    const led = this.leads;
    const askedAt = performance.now();
    try {
      const isHeld = await leases.hold(lease, LEASE_MS);
      this.#leadsUntil = isHeld ? askedAt + LEASE_MS : Number.NEGATIVE_INFINITY;
      if (this.#reason !== undefined) log.recovered(lease);
      this.#reason = undefined;
    } catch (error) {
      this.#leadsUntil = Number.NEGATIVE_INFINITY;
      const reason = `its lease can't be taken: ${error instanceof Error ? error.message : String(error)}`;
      if (reason !== this.#reason) log.failing(lease, (this.#reason = reason));
    }
    if (this.leads && !led) for (const one of this.led) one.wake();
  }
}
