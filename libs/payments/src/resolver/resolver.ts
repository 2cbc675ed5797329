import {
  ConsumerGroup,
  LeadingTask,
  type CatchUpOptions,
  type Leases,
  type RoundResult,
} from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { consumerLog } from '../ports/consumer.log.js';
import type { WorkQueue } from '../work-queue/work-queue.port.js';
import type { Resolver } from './resolver.types.js';
import type { ResolverParts } from './payment.context.js';
import { workQueueConsumer } from '../work-queue/work-queue.consumer.js';
import { workItemLeaseMs, runWorkItem } from './work-item.runner.js';

const LEADER = 'resolver';
/** Polls, because operators of a sandbox can move the clock that makes work due. */
const CHECK_EVERY_MS = 250;
const CONCURRENT_ITEMS_MAX = 8;
const HOUSEKEEPING_EVERY_MS = 60_000;
const RECHECK_AFTER_MS = 20;

export interface WorkResolverParts {
  readonly store: EventStore;
  readonly workQueue: WorkQueue;
  readonly leases: Leases;
  readonly resolving: ResolverParts;
  /** Deletes expired records. The leader calls it once a minute. */
  runHousekeeping(): Promise<unknown>;
}

/** The leader feeds the work queue and runs what is due. If its lease ends, another process takes over. */
export class WorkResolver implements Resolver {
  private readonly group: ConsumerGroup;
  /** Work items that this process ran, in the background or by `runDue`. */
  private itemsRun = 0;

  constructor(private readonly parts: WorkResolverParts) {
    const { store, workQueue, leases, resolving } = parts;
    const log = consumerLog(resolving.log, 'resolver');
    const work = new LeadingTask(
      { name: 'due-work', everyMs: CHECK_EVERY_MS, run: () => this.runDueRound() },
      log,
    );
    const housekeeping = new LeadingTask(
      { name: 'housekeeping', everyMs: HOUSEKEEPING_EVERY_MS, run: () => this.runHousekeeping() },
      log,
    );
    const { timings } = resolving;
    const feed = workQueueConsumer({ store, workQueue, timings, changed: () => work.wake() });
    const tasks = [work, housekeeping];
    this.group = new ConsumerGroup({ store, leases, lease: LEADER, consumers: [feed], tasks, log });
  }

  start(): void {
    void this.group.start();
  }

  stop(): Promise<void> {
    return this.group.stop();
  }

  /** Feeds the work queue up to the head of the store at the time of the call, in any process. */
  feed(options: CatchUpOptions = {}): Promise<boolean> {
    return this.group.catchUp(options);
  }

  /** Runs what is due, beside the leader. Claims keep the two apart, and a handler that runs twice does no harm. */
  async runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }> {
    const { clock } = this.parts.resolving;
    const until = clock.realNow() + withinMs;
    const before = this.itemsRun;
    for (;;) {
      await this.feed();
      const done = await this.runDueOnce();
      let pending = await this.countDue();
      if (pending === 0) {
        // No process runs an item now, so all events of earlier items are appended. They may make new work that is due.
        await this.feed();
        pending = await this.countDue();
      }
      const ran = this.itemsRun - before;
      if (pending === 0 || clock.realNow() >= until) return { ran, pending };
      if (done === 0) await new Promise((resume) => setTimeout(resume, RECHECK_AFTER_MS));
    }
  }

  countDue(): Promise<number> {
    return this.parts.workQueue.countDue(this.now());
  }

  private async runHousekeeping(): Promise<RoundResult> {
    await this.parts.runHousekeeping();
    return 'Idle';
  }

  private async runDueRound(): Promise<RoundResult> {
    return (await this.runDueOnce()) === CONCURRENT_ITEMS_MAX ? 'More' : 'Idle';
  }

  private async runDueOnce(): Promise<number> {
    const { workQueue, resolving } = this.parts;
    const due = await workQueue.claimDue(
      this.now(),
      CONCURRENT_ITEMS_MAX,
      workItemLeaseMs(resolving.timings),
    );
    await Promise.all(due.map((work) => runWorkItem(resolving, workQueue, work)));
    this.itemsRun += due.length;
    return due.length;
  }

  private now(): { readonly service: number; readonly real: number } {
    const { clock } = this.parts.resolving;
    return { service: clock.now(), real: clock.realNow() };
  }
}
