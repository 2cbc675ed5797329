import {
  ConsumerGroup,
  LeadingTask,
  type CatchUpOptions,
  type Leases,
  type RoundResult,
} from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { ledLog } from '../led.log.js';
import type { OpenWorkStore } from '../open-work.port.js';
import type { Resolver } from '../provisioning.types.js';
import type { ResolveParts } from './case.js';
import { openWorkFeed } from './work.feed.js';
import { claimMs, workOff } from './work.off.js';

const LEADER = 'resolver';
/** Work falls due by clocks, one of which operators of a sandbox move. */
const LOOK_EVERY_MS = 250;
const AT_ONCE = 8;
const HOUSEKEEPING_EVERY_MS = 60_000;
const LOOK_AGAIN_MS = 20;

export interface WorkResolverParts {
  readonly store: EventStore;
  readonly table: OpenWorkStore;
  readonly leases: Leases;
  readonly resolving: ResolveParts;
  /** Forgets what is to be forgotten now and then; called in the process that leads. */
  keepHouse(): Promise<unknown>;
}

/** One process at a time feeds the table and works it off; another takes over when it falls silent. */
export class WorkResolver implements Resolver {
  private readonly group: ConsumerGroup;
  /** Pieces of work done in this process, in the background or by `runDue`. */
  private worked = 0;

  constructor(private readonly parts: WorkResolverParts) {
    const { store, table, leases, resolving } = parts;
    const log = ledLog(resolving.log, 'resolver');
    const work = new LeadingTask(
      { name: 'due-work', everyMs: LOOK_EVERY_MS, run: () => this.workOff() },
      log,
    );
    const housekeeping = new LeadingTask(
      { name: 'housekeeping', everyMs: HOUSEKEEPING_EVERY_MS, run: () => this.keepHouse() },
      log,
    );
    const { timings } = resolving;
    const feed = openWorkFeed({ store, table, timings, changed: () => work.wake() });
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
    const before = this.worked;
    for (;;) {
      await this.feed();
      const done = await this.workOnce();
      let pending = await this.countDue();
      if (pending === 0) {
        // No process has any in hand, so all that came of it was appended: it may have made work that is due at once.
        await this.feed();
        pending = await this.countDue();
      }
      const ran = this.worked - before;
      if (pending === 0 || clock.realNow() >= until) return { ran, pending };
      if (done === 0) await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS));
    }
  }

  countDue(): Promise<number> {
    return this.parts.table.countDue(this.now());
  }

  private async keepHouse(): Promise<RoundResult> {
    await this.parts.keepHouse();
    return 'Idle';
  }

  private async workOff(): Promise<RoundResult> {
    return (await this.workOnce()) === AT_ONCE ? 'More' : 'Idle';
  }

  private async workOnce(): Promise<number> {
    const { table, resolving } = this.parts;
    const due = await table.claimDue(this.now(), AT_ONCE, claimMs(resolving.timings));
    await Promise.all(due.map((work) => workOff(resolving, table, work)));
    this.worked += due.length;
    return due.length;
  }

  private now(): { readonly service: number; readonly real: number } {
    const { clock } = this.parts.resolving;
    return { service: clock.now(), real: clock.realNow() };
  }
}
