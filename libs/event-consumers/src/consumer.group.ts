import type { EventStore } from '@tillstream/event-store';
import { ConsumerLane } from './consumer.lane.js';
import type { Consumer, ConsumerLog, ConsumerStatus } from './consumer.port.js';
import type { Leases } from './leases.port.js';

export interface ConsumerGroupOptions {
  readonly store: EventStore;
  readonly leases: Leases;
  /** The lease of the group: the process that holds it handles the events of all its consumers. */
  readonly lease: string;
  /** Each has its own checkpoint and its own loop; one that halts or is slow does not hold up the others. */
  readonly consumers: readonly Consumer[];
  readonly log: ConsumerLog;
}

export interface CatchUp {
  /** Most pages of each consumer. Left out: as many as it takes. */
  readonly pages?: number;
}

/** A process that is silent for so long has lost its lease. */
export const LEASE_MS = 5_000;
/** Also how soon after an orderly stop of the leader another process takes over. */
const LEAD_EVERY_MS = 1_000;

/**
 * Consumers that one process at a time runs: woken by the store, with a slow poll in case a wake-up is lost. Which process
 * runs them is decided by a lease; that no event is handled twice is decided by each checkpoint's compare-and-swap.
 */
export class ConsumerGroup {
  readonly #lanes: readonly ConsumerLane[];
  #running: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #unlisten: () => void = () => undefined;
  #leads = false;
  #leaseReason: string | undefined;

  constructor(private readonly options: ConsumerGroupOptions) {
    const { store, consumers, log } = options;
    this.#lanes = consumers.map((consumer) => new ConsumerLane(store, consumer, log, () => this.#leads));
  }

  /** Begins in the background. Call it once. */
  start(): void {
    this.#running = Promise.all(this.#lanes.map((lane) => lane.run()));
    this.#unlisten = this.options.store.onAppended(() => this.#wake());
    this.#lead();
    this.#timer = setInterval(() => this.#lead(), LEAD_EVERY_MS);
  }

  /** Waits for the pages in hand, then frees the lease. Never rejects. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#unlisten();
    for (const lane of this.#lanes) lane.stop();
    await this.#running;
    this.#leads = false;
    try {
      this.options.leases.release(this.options.lease);
    } catch {
      // The lease runs out by itself.
    }
  }

  /** This process runs the consumers, as far as it knows. */
  get leads(): boolean {
    return this.#leads;
  }

  /**
   * Handles, in this process and whether or not it leads, all events that were in the store when this was called. Works
   * without `start` too. False if it ended before: by the limit of pages, by `stop`, or at a consumer that is paused.
   * Rejects with the first error when all consumers have ended: nothing is retried.
   */
  async catchUp(options: CatchUp = {}): Promise<boolean> {
    const head = await this.options.store.head();
    const ended = await Promise.allSettled(this.#lanes.map((lane) => lane.catchUp(head, options.pages)));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return ended.every((one) => one.status === 'fulfilled' && one.value);
  }

  /** In the order of `consumers`. Rejects if the store or a checkpoint can't be read. */
  status(): Promise<readonly ConsumerStatus[]> {
    return Promise.all(this.#lanes.map((lane) => lane.status()));
  }

  #lead(): void {
    const { leases, lease, log } = this.options;
    const led = this.#leads;
    try {
      this.#leads = leases.hold(lease, LEASE_MS);
      this.#leaseReason = undefined;
    } catch (error) {
      this.#leads = false;
      const reason = `its lease can't be taken: ${error instanceof Error ? error.message : String(error)}`;
      if (reason !== this.#leaseReason) log.failing(lease, (this.#leaseReason = reason));
    }
    if (this.#leads && !led) this.#wake();
  }

  #wake(): void {
    if (!this.#leads) return;
    for (const lane of this.#lanes) lane.wake();
  }
}
