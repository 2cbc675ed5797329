import { setTimeout as pause } from 'node:timers/promises';
import { ConsumerGroup, LeadingTask, type RoundResult } from '@tillstream/event-consumers';
import { errorMessage } from '@tillstream/runtime';
import { consumerLog } from '../ports/consumer.log.js';
import type { BatchCloser } from './batch.closer.js';
import { batchClosingConsumer } from './batch-closing.consumer.js';
import type { DueBatches } from './due-batches.js';
import type { SettlementFunding } from '../settlements/settlement.funding.js';
import type { MonthEndSchedule } from '../month-ends/month-end.schedule.js';
import type { BatchParts } from './batches.js';

const LEADER = 'settlement-projector';
const ROUND_EVERY_MS = 1_000;
const POLL_MS = 50;
const CONCURRENT_BATCHES_MAX = 2;
const CLOSINGS_MAX = 100;

/**
 * Starts the closings that are due, completes started ones with their settlements, funds the settlements whose date has begun
 * (in the sandbox), and ends months. One process leads; two would do no harm.
 */
export class BatchClosingScheduler {
  private readonly running = new Map<string, Promise<unknown>>();
  /** Closings that the consumer found. The rows have all of them, so those beyond the limit are not lost. */
  private readonly startedClosings = new Set<string>();
  private readonly task: LeadingTask;
  private readonly group: ConsumerGroup;
  private started = false;
  private stopped = false;

  constructor(
    private readonly parts: BatchParts & {
      readonly closer: BatchCloser;
      readonly due: DueBatches;
      readonly funding: SettlementFunding;
      readonly schedule: MonthEndSchedule;
    },
  ) {
    const { store, leases } = parts;
    const log = consumerLog(parts.log, 'batches');
    this.task = new LeadingTask(
      { name: 'due-batches', everyMs: ROUND_EVERY_MS, run: () => this.runRound() },
      log,
    );
    const consumers = [batchClosingConsumer(store, (batchId) => this.onClosingStarted(batchId))];
    const monthEnds = new LeadingTask(
      { name: 'month-ends', everyMs: ROUND_EVERY_MS, run: (stopping) => this.endMonths(stopping) },
      log,
    );
    const tasks = [this.task, monthEnds];
    this.group = new ConsumerGroup({ store, leases, lease: LEADER, consumers, tasks, log });
  }

  /** While this process leads, it looks for due batches every second, and closes at once what any process starts to close. */
  start(): void {
    this.started = true;
    void this.group.start();
  }

  /** Stops between two items. Another process continues the closing. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.parts.closer.stop();
    // Closes before the lease ends, so that the next leader finds no batch leased by this process.
    await Promise.allSettled(this.running.values());
    await this.group.stop();
  }

  hasLeader(): Promise<boolean> {
    return this.parts.leases.isHeld(LEADER);
  }

  closeInBackground(batchId: string): void {
    if (this.stopped || this.running.has(batchId)) return;
    const { closer, log } = this.parts;
    const closing = closer.close(batchId).catch((error: unknown) => {
      const reason = errorMessage(error);
      log.error('batch-close-failed', { batchId, reason });
    });
    this.running.set(batchId, closing);
    void closing.finally(() => {
      this.running.delete(batchId);
      if (this.startedClosings.size > 0) this.task.wake();
    });
  }

  /**
   * Closes every batch that is due or being closed, funds what is due and ends months, or waits while another process does, at most `withinMs` of
   * real time.
   */
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
      if (this.started || !(await this.hasLeader())) {
        await this.runRound();
        await this.endMonths();
      }
      await pause(POLL_MS);
    }
  }

  /** How many batches are due or being closed, settlements due, and months ended. */
  async countDue(): Promise<number> {
    return (await this.pending()).length;
  }

  private onClosingStarted(batchId: string): void {
    if (this.startedClosings.size < CLOSINGS_MAX) this.startedClosings.add(batchId);
    this.task.wake();
  }

  private async endMonths(stopping?: AbortSignal): Promise<RoundResult> {
    await this.parts.schedule.run(stopping);
    return 'Idle';
  }

  private async runRound(): Promise<RoundResult> {
    const { due, items, funding, schedule } = this.parts;
    await funding.fundDue();
    for (const batch of await due.find()) {
      // If the clock passed the end of a month and this cut-off at once, the batch takes what the month costs.
      await schedule.runFor(batch.current);
      await due.startClosing(batch);
    }
    const closings = [...this.startedClosings, ...(await items.closingBatchIds(CLOSINGS_MAX))];
    for (const batchId of new Set(closings)) {
      if (this.running.size >= CONCURRENT_BATCHES_MAX) return 'Idle';
      this.startedClosings.delete(batchId);
      this.closeInBackground(batchId);
    }
    return 'Idle';
  }

  /** Reads merchants from the store, so that a cut-off that was changed a moment ago counts. */
  private async pending(): Promise<readonly string[]> {
    const { due, items, funding, schedule } = this.parts;
    const dueIds = (await due.find('Stored')).map(({ current }) => current.id);
    const closingIds = await items.closingBatchIds(CLOSINGS_MAX);
    return [
      ...new Set([...dueIds, ...closingIds, ...(await funding.dueIds()), ...(await schedule.pending())]),
    ];
  }
}
