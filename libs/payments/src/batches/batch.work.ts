import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.port.js';
import type { PaymentsLog } from '../log.port.js';
import type { BatchCloser } from './batch.closer.js';
import type { BatchItems, WorkLeases } from './batch-items.port.js';
import type { DueBatches } from './due.batches.js';

export interface WorkParts {
  readonly closer: BatchCloser;
  readonly due: DueBatches;
  readonly items: BatchItems;
  readonly leases: WorkLeases;
  readonly clock: Clock;
  readonly log: PaymentsLog;
}

const LEADER = 'settlement-projector';
const LEASE_MS = 5_000;
const TICK_MS = 1_000;
const LOOK_AGAIN_MS = 50;
/** Batches closed side by side. */
const AT_ONCE = 2;
const MOST_IN_HAND = 100;

/** Does what falls due. One process at a time, for the work's sake alone: two would do no harm. */
export class BatchWork {
  private readonly running = new Map<string, Promise<unknown>>();
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<unknown> | undefined;
  private started = false;
  private stopped = false;

  constructor(private readonly parts: WorkParts) {}

  start(): void {
    this.started = true;
    this.nudge();
  }

  nudge(): void {
    if (!this.started || this.stopped || this.ticking) return;
    clearTimeout(this.timer);
    this.ticking = this.tick().finally(() => {
      this.ticking = undefined;
      if (!this.stopped) this.timer = setTimeout(() => this.nudge(), TICK_MS);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.parts.closer.stop();
    await this.ticking;
    await Promise.allSettled(this.running.values());
    this.parts.leases.release(LEADER);
  }

  /** Somebody looks for what is due, this process or another. */
  get isLed(): boolean {
    return this.parts.leases.isHeld(LEADER);
  }

  /** In this process, in the background. */
  closeHere(batchId: string): void {
    if (this.stopped || this.running.has(batchId)) return;
    const { closer, log } = this.parts;
    const done = closer.close(batchId).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.error('batch-close-failed', { batchId, reason });
    });
    this.running.set(batchId, done);
    void done.finally(() => this.running.delete(batchId));
  }

  async runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }> {
    const { clock } = this.parts;
    const until = clock.realNow() + withinMs;
    const seen = new Set<string>();
    for (;;) {
      const pending = await this.pending();
      for (const id of pending) seen.add(id);
      if (pending.length === 0 || clock.realNow() >= until || this.stopped) {
        return { ran: seen.size - pending.length, pending: pending.length };
      }
      if (this.started || !this.isLed) await this.workOnce();
      await pause(LOOK_AGAIN_MS);
    }
  }

  async countDue(): Promise<number> {
    return (await this.pending()).length;
  }

  private async tick(): Promise<void> {
    const { leases, log } = this.parts;
    try {
      if (leases.hold(LEADER, LEASE_MS)) await this.workOnce();
    } catch (error) {
      log.error('batches-failed', { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  private async workOnce(): Promise<void> {
    const { due, items } = this.parts;
    for (const one of await due.find()) await due.begin(one);
    for (const batchId of await items.closing(MOST_IN_HAND)) {
      if (this.running.size >= AT_ONCE) return;
      this.closeHere(batchId);
    }
  }

  /** For somebody who waits for it: what was set a moment ago counts. */
  private async pending(): Promise<readonly string[]> {
    const { due, items } = this.parts;
    const fallenDue = (await due.find('Stored')).map(({ current }) => current.id);
    return [...new Set([...fallenDue, ...(await items.closing(MOST_IN_HAND))])];
  }
}
