import type { EventStore } from '@tillstream/event-store';
import { ConsumerLane } from './consumer.lane.js';
import type { Consumer, ConsumerLog, ConsumerStatus } from './consumer.port.js';
import { Leader, type LeaderOptions } from './leader.js';
import type { LeadingTask } from './leading.task.js';

export interface ConsumerGroupOptions extends LeaderOptions {
  readonly store: EventStore;
  /** Each has its own checkpoint and its own loop; one that halts or is slow does not hold up the others. */
  readonly consumers: readonly Consumer[];
  /** What the leader does besides, each in a loop of its own. */
  readonly tasks?: readonly LeadingTask[];
  readonly log: ConsumerLog;
}

export interface CatchUpOptions {
  /** Most pages of each consumer. Left out: as many as it takes. */
  readonly pages?: number;
}

/**
 * Consumers that one process at a time runs: woken by the store, with a slow poll in case a wake-up is lost. Which process
 * runs them is decided by a lease; that no event is handled twice is decided by each checkpoint's compare-and-swap.
 */
export class ConsumerGroup {
  readonly #lanes: readonly ConsumerLane[];
  readonly #leader: Leader;
  #unlisten: () => void = () => undefined;

  constructor(private readonly options: ConsumerGroupOptions) {
    const { store, consumers, tasks = [], log } = options;
    this.#lanes = consumers.map((consumer) => new ConsumerLane(store, consumer, log));
    this.#leader = new Leader(options, [...this.#lanes, ...tasks]);
  }

  /** Begins in the background. Call it once. Resolves when this process knows whether it leads. Never rejects. */
  start(): Promise<void> {
    this.#unlisten = this.options.store.onAppended(() => {
      if (this.leads) for (const lane of this.#lanes) lane.wake();
    });
    return this.#leader.start();
  }

  /** Waits for the pages and the tasks in hand, then frees the lease. Never rejects. */
  async stop(): Promise<void> {
    this.#unlisten();
    await this.#leader.stop();
  }

  /** This process runs the consumers and the tasks, as far as it knows. */
  get leads(): boolean {
    return this.#leader.leads;
  }

  /**
   * Handles, in this process and whether or not it leads, all events that were in the store when this was called. Works
   * without `start` too. False if it ended before: by the limit of pages, by `stop`, or at a consumer that is paused.
   * Rejects with the first error when all consumers have ended: nothing is retried.
   */
  async catchUp(options: CatchUpOptions = {}): Promise<boolean> {
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
}
