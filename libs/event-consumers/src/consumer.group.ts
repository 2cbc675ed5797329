import type { EventStore } from '@tillstream/event-store';
import { ConsumerLane } from './consumer.lane.js';
import type { Consumer, ConsumerLog, ConsumerStatus } from './consumer.port.js';
import { Leader, type LeaderOptions } from './leader.js';
import type { LeadingTask } from './leading.task.js';

export interface ConsumerGroupOptions extends LeaderOptions {
  readonly store: EventStore;
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

/**
 * Consumers that one process at a time runs. The store wakes them, and a slow poll makes up for a lost wake-up. A lease
 * decides which process runs them. The compare-and-swap of each checkpoint ensures that no event is handled twice.
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

  /** Starts in the background. Call it once. Resolves when this process knows whether it leads. Never rejects. */
  start(): Promise<void> {
    this.#unlisten = this.options.store.onAppended(() => {
      if (this.leads) for (const lane of this.#lanes) lane.wake();
    });
    return this.#leader.start();
  }

  /** Waits for the current pages and task runs, then releases the lease. Never rejects. */
  async stop(): Promise<void> {
    this.#unlisten();
    await this.#leader.stop();
  }

  /** Whether this process runs the consumers and tasks, as far as it knows. */
  get leads(): boolean {
    return this.#leader.leads;
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
}
