import { setTimeout } from 'node:timers/promises';
import {
  completeClosing,
  isBeingClosed,
  isBankChannel,
  type Batch,
  type BatchTotals,
  type ItemTotals,
  type KindTotals,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { LoadedBatch, LoadedStream } from '../stream-repository/repositories.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { BatchSums, BatchSum, UnbatchedRow } from './batch-items.port.js';
import { assignToBatch, type ActiveClosing } from './batch-item.assignment.js';
import { ClosingPace } from './closing.pace.js';
import { SettlementMaker } from '../settlements/settlement.maker.js';
import type { BatchParts } from './batches.js';
import { ProgressLog } from './progress.log.js';

const PAGE_SIZE = 100;
const CONCURRENT_ITEMS_MAX = 25;
const LEASE_MS = 10_000;
const POLL_MS = 100;
const WARN_EVERY_MS = 30_000;

/** `Elsewhere`: another process has the lease, or this one was stopped. */
type CloseResult = 'Over' | 'Elsewhere';

/**
 * Completes a closing that was started. The process can be killed at any instruction, paused for an hour, or run at the
 * same time as another one: each payment's stream records what the batch took, and the totals are the sums of that.
 */
export class BatchCloser {
  private stopped = false;

  private readonly settlements: SettlementMaker;

  constructor(private readonly parts: BatchParts) {
    this.settlements = new SettlementMaker(parts);
  }

  stop(): void {
    this.stopped = true;
  }

  /** Completes the closing, and then makes the settlements. */
  async close(batchId: string): Promise<CloseResult> {
    const lease = `batch ${batchId}`;
    const { leases, register, log } = this.parts;
    if (!(await leases.hold(lease, LEASE_MS))) return 'Elsewhere';
    try {
      let warnAt = performance.now() + WARN_EVERY_MS;
      while (await this.continues(lease)) {
        const loaded = await register.load(batchId);
        if (!loaded || !isBeingClosed(loaded.state)) return 'Over';
        if (loaded.state.status === 'Closed') {
          if (await this.settlements.make(loaded, () => this.continues(lease))) return 'Over';
          await setTimeout(POLL_MS);
          continue;
        }
        const active = activeClosing(loaded);
        if (!active) return 'Over';
        const sums = await this.assignItems(active, lease);
        if (sums && (await this.completeClosing(active, loaded, sums))) continue;
        await setTimeout(POLL_MS);
        if (performance.now() < warnAt) continue;
        log.warn('batch-close-waits', { batchId, reason: 'the rows of its payments are not up to date' });
        warnAt = performance.now() + WARN_EVERY_MS;
      }
      return 'Elsewhere';
    } finally {
      await leases.release(lease);
    }
  }

  private async continues(lease: string): Promise<boolean> {
    return !this.stopped && (await this.parts.leases.hold(lease, LEASE_MS));
  }

  /**
   * Assigns all items that wait. Returns the sums of the batch once every item is assigned and the rows of one generation
   * show it. Undefined otherwise: the caller runs it again.
   */
  private async assignItems(active: ActiveClosing, lease: string): Promise<BatchSums | undefined> {
    const { items, log } = this.parts;
    const { merchantId, currency, id } = active.batch;
    const progress = new ProgressLog((transactions) =>
      log.info('batch-progress', { batchId: id, merchantId, currency, transactions }),
    );
    const { asOf, closing } = active;
    const before = Date.parse(closing.cutOffAt);
    const generations = new Set<number>();
    const pace = new ClosingPace();
    let allAssigned = true;
    let after: UnbatchedRow | undefined;
    for (;;) {
      if (!(await this.continues(lease))) return undefined;
      const request = { merchantId, currency, before, asOf, limit: PAGE_SIZE };
      const page = await items.unbatched({ ...request, ...(after && { after }) });
      if (!page) return undefined;
      generations.add(page.generation);
      allAssigned = (await this.assignPage(active, page.items)) && allAssigned;
      progress.add(page.items.length);
      await pace.worked(page.items.length);
      after = page.items.at(-1);
      if (page.items.length < PAGE_SIZE) break;
    }
    if (!allAssigned) return undefined;
    // The sums are read after the last page, so that they have every item that the pages no longer show.
    const sums = await items.batchSums(id, asOf);
    const isConsistent = sums !== undefined && generations.size === 1 && generations.has(sums.generation);
    return isConsistent ? sums : undefined;
  }

  private async assignPage(active: ActiveClosing, rows: readonly UnbatchedRow[]): Promise<boolean> {
    let next = 0;
    let allAssigned = true;
    const assignNext = async (): Promise<void> => {
      while (next < rows.length && !this.stopped) {
        const row = rows[next++] as UnbatchedRow;
        if ((await assignToBatch(this.parts, active, row)) === 'Again') allAssigned = false;
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENT_ITEMS_MAX, rows.length) }, assignNext));
    return allAssigned && !this.stopped;
  }

  /** False if another process changed the batch first, or the domain rejected the totals. */
  private async completeClosing(
    active: ActiveClosing,
    known: LoadedBatch,
    { sums }: BatchSums,
  ): Promise<boolean> {
    const { batches, clock, readModels, log } = this.parts;
    const { batch, closing } = active;
    const totals = batchTotals(sums);
    const at = iso(clock.now());
    const cause = { merchantId: batch.merchantId, actor: serviceActor, causationId: batch.id };
    const written = await batches.transact(known, cause, (state) =>
      completeClosing(state, { at, closing: closing.number, totals }),
    );
    if (written.kind === 'Rejected') {
      log.error('batch-not-closed', { batchId: batch.id, reason: written.rejection.message });
      return false;
    }
    if (written.kind === 'Contended') return false;
    await writeThrough(readModels, written.loaded);
    const isClosed = written.events.some(({ type }) => type === 'BatchClosed');
    if (isClosed) {
      const { merchantId, currency, id: batchId } = batch;
      const { transactionCount: transactions } = totals;
      log.info('batch-closed', { batchId, merchantId, currency, transactions });
    }
    return true;
  }
}

/** Undefined if the batch is not closing. */
function activeClosing({ state, history }: LoadedStream<Batch>): ActiveClosing | undefined {
  const started = history.findLast(({ type }) => type === 'BatchClosing');
  if (state.status !== 'Closing' || !state.closing || !started) return undefined;
  return { batch: state, closing: state.closing, asOf: started.position };
}

const KINDS: Readonly<Record<string, keyof KindTotals>> = {
  Sale: 'sales',
  Capture: 'sales',
  Refund: 'refunds',
  UnreferencedRefund: 'refunds',
  BankReturn: 'returns',
};

function batchTotals(sums: readonly BatchSum[]): BatchTotals {
  const total = (isBank: boolean, kind: keyof KindTotals): ItemTotals =>
    addUp(sums.filter(({ channel, type }) => KINDS[type] === kind && isBankChannel(channel) === isBank));
  const totals = (isBank: boolean): KindTotals => ({
    sales: total(isBank, 'sales'),
    refunds: total(isBank, 'refunds'),
    returns: total(isBank, 'returns'),
  });
  // The overall totals count every item, so that a type that `KINDS` lacks shows as a difference from the parts.
  const { count: transactionCount, amount } = addUp(sums);
  return { transactionCount, amount, card: totals(false), bank: totals(true) };
}

function addUp(sums: readonly BatchSum[]): ItemTotals {
  return {
    count: sums.reduce((total, { count }) => total + count, 0),
    amount: sums.reduce((total, { amount }) => total + amount, 0),
  };
}
