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
import type { Resolver } from '../operators/provisioning.types.js';
import type { ResolverParts } from './payment.context.js';
import { workQueueConsumer } from '../work-queue/work-queue.consumer.js';
import { workItemLeaseMs, runWorkItem } from './work-item.runner.js';

const LEADER = 'resolver';
/** Work falls due by clocks, one of which operators of a sandbox move. */
const CHECK_EVERY_MS = 250;
const AT_ONCE = 8;
const HOUSEKEEPING_EVERY_MS = 60_000;
const RECHECK_AFTER_MS = 20;

export interface WorkResolverParts {
  readonly store: EventStore;
  readonly workQueue: WorkQueue;
  readonly leases: Leases;
  readonly resolving: ResolverParts;
  /** Forgets what is to be forgotten now and then; called in the process that leads. */
  runHousekeeping(): Promise<unknown>;
}

/** One process at a time feeds the table and works it off; another takes over when it falls silent. */
export class WorkResolver implements Resolver {
  private readonly group: ConsumerGroup;
  /** Pieces of work done in this process, in the background or by `runDue`. */
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
    const led = { consumers: [feed], tasks: [work, housekeeping] };
    this.group = new ConsumerGroup({ store, leases, lease: LEADER, ...led, log });
  }

  start(): void {
    void this.group.start();
  }

  stop(): Promise<void> {
    return this.group.stop();
  }

  /** Feeds the table what was in the store when this was called, whether or not this process leads. */
  feed(options: CatchUpOptions = {}): Promise<boolean> {
    return this.group.catchUp(options);
  }

  /** The leader may be at it too: claims keep them apart, and doing a piece twice would be harmless. */
  async runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }> {
    const { clock } = this.parts.resolving;
    const until = clock.realNow() + withinMs;
    const before = this.itemsRun;
    for (;;) {
      await this.feed();
      const done = await this.runDueOnce();
      let pending = await this.countDue();
      if (pending === 0) {
        // No process has any in hand, so all that came of it was appended: it may have made work that is due at once.
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
    return (await this.runDueOnce()) === AT_ONCE ? 'More' : 'Idle';
  }

  private async runDueOnce(): Promise<number> {
    const { workQueue, resolving } = this.parts;
    const due = await workQueue.claimDue(this.now(), AT_ONCE, workItemLeaseMs(resolving.timings));
    await Promise.all(due.map((work) => runWorkItem(resolving, workQueue, work)));
    this.itemsRun += due.length;
    return due.length;
  }

  private now(): { readonly service: number; readonly real: number } {
    const { clock } = this.parts.resolving;
    return { service: clock.now(), real: clock.realNow() };
  }
}
