import { randomUUID } from 'node:crypto';
import type { EventStore } from '@tillstream/event-store';
import type { OpenWorkStore } from '../open-work.port.js';
import type { Resolver } from '../provisioning.types.js';
import type { ResolveParts } from './case.js';
import { feedOpenWork } from './work.feed.js';
import { claimMs, workOff } from './work.off.js';

const TICK_MS = 250;
const LEASE_MS = 5_000;
const AT_ONCE = 8;
const HOUSEKEEPING_EVERY_MS = 60_000;

/** One process at a time feeds the table and works it off; another takes over when it falls silent. */
export class WorkResolver implements Resolver {
  private readonly holder = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private stopped = false;
  private keptHouseAt = Number.NEGATIVE_INFINITY;
  /** Pieces of work done in this process, by whichever way. */
  private worked = 0;

  constructor(
    private readonly store: EventStore,
    private readonly table: OpenWorkStore,
    private readonly parts: ResolveParts,
    /** What must be forgotten now and then, by the one that holds the lease. */
    private readonly keepHouse: () => Promise<unknown>,
  ) {}

  start(): void {
    const tick = async (): Promise<void> => {
      try {
        const leading = await this.table.holdLease(this.holder, this.parts.clock.realNow(), LEASE_MS);
        if (leading) {
          await feedOpenWork(this.store, this.table, this.parts.timings);
          await this.workOnce();
          await this.keepHouseSometimes();
        }
      } catch (error) {
        this.parts.log.error('resolver-failed', {
          reason: error instanceof Error ? error.message : String(error),
        });
      }
      if (!this.stopped) this.timer = setTimeout(() => (this.running = tick()), TICK_MS);
    };
    this.running = tick();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
    // A store that is down keeps the lease until it runs out.
    await this.table.releaseLease(this.holder).catch(() => undefined);
  }

  /** Whoever holds the lease may be at it too: claims keep them apart, and doing a piece twice would be harmless. */
  async runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }> {
    const { clock, timings } = this.parts;
    const until = clock.realNow() + withinMs;
    const before = this.worked;
    // Where another feeds at the same time, what it has read may end before what was there when this was called.
    const feed = async (): Promise<void> => {
      for (let atHead = false; !atHead;) atHead = await feedOpenWork(this.store, this.table, timings);
    };
    for (;;) {
      await feed();
      const done = await this.workOnce();
      let pending = await this.countDue();
      if (pending === 0) {
        // Nobody has any in hand, so all that came of it was appended: it may have made work that is due at once.
        await feed();
        pending = await this.countDue();
      }
      const ran = this.worked - before;
      if (pending === 0 || clock.realNow() >= until) return { ran, pending };
      if (done === 0) await new Promise((resume) => setTimeout(resume, 20));
    }
  }

  countDue(): Promise<number> {
    return this.table.countDue(this.now());
  }

  private async keepHouseSometimes(): Promise<void> {
    const now = this.parts.clock.monotonicNow();
    if (now < this.keptHouseAt + HOUSEKEEPING_EVERY_MS) return;
    this.keptHouseAt = now;
    await this.keepHouse();
  }

  private now(): { readonly service: number; readonly real: number } {
    return { service: this.parts.clock.now(), real: this.parts.clock.realNow() };
  }

  private async workOnce(): Promise<number> {
    const due = await this.table.claimDue(this.now(), AT_ONCE, claimMs(this.parts.timings));
    await Promise.all(due.map((work) => workOff(this.parts, this.table, work)));
    this.worked += due.length;
    return due.length;
  }
}
