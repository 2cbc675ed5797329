import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@tillstream/event-store';
import { errorMessage } from '@tillstream/runtime';
import { ConsumerLane } from './consumer.lane.js';
import type { Consumer, ConsumerLog, ConsumerStatus } from './consumer.port.js';
import type { LeaderLoop, LeadingTask } from './leader.loop.js';
import type { Leases } from './leases.port.js';

export interface ConsumerGroupOptions {
  readonly store: EventStore;
  readonly leases: Leases;
  /** The process that holds this lease runs the consumers and tasks. */
  readonly lease: string;
  /** Each has its own checkpoint and loop, so a slow or halted consumer does not delay the others. */
  readonly consumers: readonly Consumer[];
  /** Other work of the leader, each task in a loop of its own. */
  readonly tasks?: readonly LeadingTask[];
  readonly log: ConsumerLog;
}

export interface CatchUpOptions {
  /** Most pages of each consumer. Left out: no limit. */
  readonly pages?: number;
}

/** A process that does not renew its lease for this long loses it. */
const LEASE_MS = 5_000;
/** After an orderly stop of the leader another process takes over within this time. */
const LEASE_RENEWAL_MS = 1_000;

/**
 * Consumers that one process at a time runs. The store wakes them, and a slow poll makes up for a lost wake-up. A lease
 * decides which process runs them. The compare-and-swap of each checkpoint ensures that no event is handled twice.
 */
export class ConsumerGroup {
  readonly #lanes: readonly ConsumerLane[];
  /** Of all consumers and tasks. */
  readonly #loops: readonly LeaderLoop[];
  #running: Promise<unknown> | undefined;
  #unlisten: () => void = () => undefined;
  /** Aborts when all rounds have ended. */
  readonly #renewalStop = new AbortController();
  #renewals: Promise<void> = Promise.resolve();
  /** Ms of `performance.now()`. Counted from before the request, so this process never believes it leads for too long. */
  #leadsUntil = Number.NEGATIVE_INFINITY;
  #leaseFailure: string | undefined;

  constructor(private readonly options: ConsumerGroupOptions) {
    const { store, consumers, tasks = [], log } = options;
    this.#lanes = consumers.map((consumer) => new ConsumerLane(store, consumer, log));
    this.#loops = [...this.#lanes, ...tasks];
  }

  /** Starts in the background. Call it once. Resolves when this process knows whether it leads. Never rejects. */
  start(): Promise<void> {
    this.#unlisten = this.options.store.onAppended(() => {
      if (this.leads) for (const lane of this.#lanes) lane.wake();
    });
    this.#running = Promise.all(this.#loops.map((loop) => loop.run(() => this.leads)));
    const firstRequest = this.#requestLease();
    this.#renewals = firstRequest.then(() => this.#renewLease());
    return firstRequest;
  }

  /** Waits for the current pages and task runs, then releases the lease. Never rejects. */
  async stop(): Promise<void> {
    this.#unlisten();
    for (const loop of this.#loops) loop.stop();
    if (this.#running === undefined) return;
    await this.#running;
    this.#renewalStop.abort();
    await this.#renewals;
    this.#leadsUntil = Number.NEGATIVE_INFINITY;
    // A lease that this process can't release runs out by itself.
    await this.options.leases.release(this.options.lease).catch(() => undefined);
  }

  /** Whether this process runs the consumers and tasks, as far as it knows. */
  get leads(): boolean {
    return performance.now() < this.#leadsUntil;
  }

  /**
   * Handles in this process all events that are in the store at the call. It needs neither `start` nor the lease. Resolves
   * with false if it ended earlier: at the limit of pages, by `stop`, or because a consumer is paused. Repeats nothing after
   * an error: it rejects with the first one when all consumers have ended.
   */
  async catchUp(options: CatchUpOptions = {}): Promise<boolean> {
    const head = await this.options.store.head();
    const results = await Promise.allSettled(this.#lanes.map((lane) => lane.catchUp(head, options.pages)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return results.every((result) => result.status === 'fulfilled' && result.value);
  }

  /** The status of each consumer, in their order. Rejects if the store or a checkpoint can't be read. */
  status(): Promise<readonly ConsumerStatus[]> {
    return Promise.all(this.#lanes.map((lane) => lane.status()));
  }

  /** Runs until all rounds have ended, so that a long last round keeps the lease. */
  async #renewLease(): Promise<void> {
    const { signal } = this.#renewalStop;
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
      if (this.#leaseFailure !== undefined) log.recovered(lease);
      this.#leaseFailure = undefined;
    } catch (error) {
      this.#leadsUntil = Number.NEGATIVE_INFINITY;
      const reason = `its lease can't be taken: ${errorMessage(error)}`;
      if (reason !== this.#leaseFailure) log.failing(lease, (this.#leaseFailure = reason));
    }
    if (this.leads && !ledBefore) for (const loop of this.#loops) loop.wake();
  }
}
