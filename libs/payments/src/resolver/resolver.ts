import { randomUUID } from 'node:crypto';
import type { EventStore } from '@tillstream/event-store';
import type { OpenWorkStore, Work } from '../open-work.port.js';
import type { Resolver } from '../provisioning.types.js';
import type { Timings } from '../timings.js';
import type { ResolveParts } from './case.js';
import { resolve } from './resolve.js';
import { nextStep } from './schedule.js';
import { feedOpenWork } from './work.feed.js';

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
    for (;;) {
      // Where another feeds at the same time, what it has read may end before what was there when this was called.
      for (let atHead = false; !atHead;) atHead = await feedOpenWork(this.store, this.table, timings);
      const done = await this.workOnce();
      const ran = this.worked - before;
      const pending = await this.table.countDue(this.now());
      if (pending === 0 || clock.realNow() >= until) return { ran, pending };
      if (done === 0) await new Promise((resume) => setTimeout(resume, 20));
    }
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
    await Promise.all(due.map((work) => this.work(work)));
    this.worked += due.length;
    return due.length;
  }

  /** A handler that throws is tried again by the schedule: a store that is down now may be back then. */
  private async work(work: Work): Promise<void> {
    const { log, clock, timings } = this.parts;
    const worked = await resolve(this.parts, work).catch((error: unknown) => {
      log.error('work-failed', {
        kind: work.kind,
        subject: work.subject,
        reason: error instanceof Error ? error.message : String(error),
      });
      return 'Again' as const;
    });
    if (worked === 'Done') return this.table.remove(work.id);
    const next =
      worked === 'Operator'
        ? { clock: 'Service' as const, dueAt: null, step: work.step }
        : nextStep(work, clock.now(), timings);
    if (!next) return this.table.remove(work.id);
    if (next.dueAt === null) log.error('operator-needed', { kind: work.kind, subject: work.subject });
    return this.table.reschedule(work.id, next);
  }
}

/** A handler inquires, annuls or sends again, and no more; after that it was killed, and another may have its work. */
function claimMs({ sendWithin, processorDeadline, margin }: Timings): number {
  return sendWithin + 3 * processorDeadline + margin;
}
