import { setTimeout as pause } from 'node:timers/promises';
import { ConsumerGroup, LeadingTask, type Leases, type RoundResult } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import { consumerLog } from '../ports/consumer.log.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { BatchCloser } from './batch.closer.js';
import type { BatchItems } from './batch-items.port.js';
import { batchClosingConsumer } from './batch-closing.consumer.js';
import type { DueBatches } from './due-batches.js';

export interface SchedulerParts {
  readonly store: EventStore;
  readonly closer: BatchCloser;
  readonly due: DueBatches;
  readonly items: BatchItems;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly log: PaymentsLog;
}

const LEADER = 'settlement-projector';
/** Cut-offs come by the clock. */
const LOOK_EVERY_MS = 1_000;
const LOOK_AGAIN_MS = 50;
/** Batches closed side by side. */
const AT_ONCE = 2;
const MOST_IN_HAND = 100;

/** Begins closings that fell due and ends those that were begun. One process at a time leads; two would do no harm. */
export class BatchClosingScheduler {
  private readonly running = new Map<string, Promise<unknown>>();
  /** Closings that an event told of. Those that it has no room for are found in the rows. */
  private readonly startedClosings = new Set<string>();
  private readonly task: LeadingTask;
  private readonly group: ConsumerGroup;
  private started = false;
  private stopped = false;

  constructor(private readonly parts: SchedulerParts) {
    const { store, leases } = parts;
    const log = consumerLog(parts.log, 'batches');
    this.task = new LeadingTask(
      { name: 'due-batches', everyMs: LOOK_EVERY_MS, run: () => this.runRound() },
      log,
    );
    const consumers = [batchClosingConsumer(store, (batchId) => this.onClosingStarted(batchId))];
    this.group = new ConsumerGroup({ store, leases, lease: LEADER, consumers, tasks: [this.task], log });
  }

  start(): void {
    this.started = true;
    void this.group.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.parts.closer.stop();
    // Before the lease is free: the process that leads next finds no batch held by this one.
    await Promise.allSettled(this.running.values());
    await this.group.stop();
  }

  /** This process or another looks for what is due. */
  hasLeader(): Promise<boolean> {
    return this.parts.leases.isHeld(LEADER);
  }

  /** In this process, in the background. */
  closeInBackground(batchId: string): void {
    if (this.stopped || this.running.has(batchId)) return;
    const { closer, log } = this.parts;
    const done = closer.close(batchId).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.error('batch-close-failed', { batchId, reason });
    });
    this.running.set(batchId, done);
    void done.finally(() => {
      this.running.delete(batchId);
      if (this.startedClosings.size > 0) this.task.wake();
    });
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
      if (this.started || !(await this.hasLeader())) await this.runRound();
      await pause(LOOK_AGAIN_MS);
    }
  }

  async countDue(): Promise<number> {
    return (await this.pending()).length;
  }

  private onClosingStarted(batchId: string): void {
    if (this.startedClosings.size < MOST_IN_HAND) this.startedClosings.add(batchId);
    this.task.wake();
  }

  private async runRound(): Promise<RoundResult> {
    const { due, items } = this.parts;
    for (const one of await due.find()) await due.startClosing(one);
    for (const batchId of new Set([
      ...this.startedClosings,
      ...(await items.closingBatchIds(MOST_IN_HAND)),
    ])) {
      if (this.running.size >= AT_ONCE) return 'Idle';
      this.startedClosings.delete(batchId);
      this.closeInBackground(batchId);
    }
    return 'Idle';
  }

  /** For somebody who waits for it: what was set a moment ago counts. */
  private async pending(): Promise<readonly string[]> {
    const { due, items } = this.parts;
    const fallenDue = (await due.find('Stored')).map(({ current }) => current.id);
    return [...new Set([...fallenDue, ...(await items.closingBatchIds(MOST_IN_HAND))])];
  }
}
