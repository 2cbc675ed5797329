import {
  ConsumerGroup,
  LeadingTask,
  type CatchUpOptions,
  type ConsumerStatus,
  type RoundResult,
} from '@tillstream/event-consumers';
import { consumerLog } from '../ports/consumer.log.js';
import { workQueueConsumer } from '../work-queue/work-queue.consumer.js';
import { workItemLeaseMs, runWorkItem } from './work-item.runner.js';
import type { Parts } from '../parts.js';

const LEADER = 'resolver';
/** Polls, because operators of a sandbox can move the clock that makes work due. */
const CHECK_EVERY_MS = 250;
const CONCURRENT_ITEMS_MAX = 8;
const HOUSEKEEPING_EVERY_MS = 60_000;
const RECHECK_AFTER_MS = 20;

/** The leader feeds the work queue and runs what is due. If its lease ends, another process takes over. */
export class Resolver {
  private readonly group: ConsumerGroup;
  /** Work items that this process ran, in the background or by `runDue`. */
  private itemsRun = 0;

  /** `runHousekeeping`: deletes expired records. The leader calls it once a minute. */
  constructor(
    private readonly parts: Parts,
    runHousekeeping: () => Promise<unknown>,
  ) {
    const log = consumerLog(parts.log, 'resolver');
    const work = new LeadingTask(
      { name: 'due-work', everyMs: CHECK_EVERY_MS, run: () => this.runDueRound() },
      log,
    );
    const housekeeping = new LeadingTask(
      {
        name: 'housekeeping',
        everyMs: HOUSEKEEPING_EVERY_MS,
        run: async () => {
          await runHousekeeping();
          return 'Idle';
        },
      },
      log,
    );
    const { store, leases } = parts;
    const consumers = [workQueueConsumer(parts, () => work.wake())];
    this.group = new ConsumerGroup({
      store,
      leases,
      lease: LEADER,
      consumers,
      tasks: [work, housekeeping],
      log,
    });
  }

  start(): void {
    void this.group.start();
  }

  stop(): Promise<void> {
    return this.group.stop();
  }

  /** Of the consumer that feeds the work queue. If it is halted, unknown outcomes of new operations are not resolved. */
  async feedStatus(): Promise<ConsumerStatus | undefined> {
    const [status] = await this.group.status();
    return status;
  }

  /** Feeds the work queue up to the head of the store at the time of the call, in any process. */
  feed(options: CatchUpOptions = {}): Promise<boolean> {
    return this.group.catchUp(options);
  }

  /**
   * Feeds the work queue, then runs what is due until nothing is, or until `withinMs` of real time have passed. Runs beside the
   * leader. Claims keep the two apart, and a handler that runs twice does no harm.
   */
  async runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }> {
    const { clock } = this.parts;
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

  /** The number of due items, on all instances. */
  countDue(): Promise<number> {
    return this.parts.workQueue.countDue(this.now());
  }

  private async runDueRound(): Promise<RoundResult> {
    return (await this.runDueOnce()) === CONCURRENT_ITEMS_MAX ? 'More' : 'Idle';
  }

  private async runDueOnce(): Promise<number> {
    const { workQueue, timings } = this.parts;
    const due = await workQueue.claimDue(this.now(), CONCURRENT_ITEMS_MAX, workItemLeaseMs(timings));
    await Promise.all(due.map((work) => runWorkItem(this.parts, work)));
    this.itemsRun += due.length;
    return due.length;
  }

  private now(): { readonly service: number; readonly real: number } {
    const { clock } = this.parts;
    return { service: clock.now(), real: clock.realNow() };
  }
}
