import { setTimeout } from 'node:timers/promises';
import {
  completeClosing,
  type Batch,
  type BatchTotals,
  type ItemTotals,
  type KindTotals,
} from '@tillstream/domain';
import type { Leases } from '@tillstream/event-consumers';
import type { RecordedEvent } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { BatchRepository, LoadedBatch } from '../stream-repository/stream-repositories.js';
import type { PaymentsLog } from '../ports/log.port.js';
import { writeThroughBatch } from '../read-model-write-through/write-through.js';
import type { BatchRegister } from './batch.register.js';
import type { BatchItems, BatchSums, BatchSum, UnbatchedRow } from './batch-items.port.js';
import { assignToBatch, type ActiveClosing, type AssignmentParts } from './batch-item.assignment.js';

export interface CloserParts extends AssignmentParts {
  readonly batches: BatchRepository;
  readonly register: BatchRegister;
  readonly items: BatchItems;
  readonly leases: Leases;
  readonly log: PaymentsLog;
}

const PAGE = 500;
const LANES = 25;
const LEASE_MS = 10_000;
const LOOK_AGAIN_MS = 100;
const COMPLAIN_EVERY_MS = 30_000;

/** `Elsewhere`: another process is at it, or it was stopped. */
export type CloseResult = 'Over' | 'Elsewhere';

/**
 * Ends a closing that was begun. It can be killed at any instruction, run twice at once, or be paused for an hour: every
 * item has its answer in its own stream, and the totals are those of the answers.
 */
export class BatchCloser {
  private stopped = false;

  constructor(private readonly parts: CloserParts) {}

  stop(): void {
    this.stopped = true;
  }

  async close(batchId: string): Promise<CloseResult> {
    const lease = `batch ${batchId}`;
    const { leases, register, log } = this.parts;
    if (!(await leases.hold(lease, LEASE_MS))) return 'Elsewhere';
    try {
      let complainAt = performance.now() + COMPLAIN_EVERY_MS;
      while (!this.stopped && (await leases.hold(lease, LEASE_MS))) {
        const loaded = await register.load(batchId);
        const inHand = loaded && activeClosing(loaded);
        if (!inHand) return 'Over';
        const taken = await this.assignItems(inHand, lease);
        if (taken && (await this.endClosing(inHand, loaded, taken))) return 'Over';
        await setTimeout(LOOK_AGAIN_MS);
        if (performance.now() < complainAt) continue;
        log.warn('batch-close-waits', { batchId, reason: 'the rows of its payments are not up to date' });
        complainAt = performance.now() + COMPLAIN_EVERY_MS;
      }
      return 'Elsewhere';
    } finally {
      await leases.release(lease);
    }
  }

  /**
   * Once over all that waits. Gives the sums once every item has its answer and the rows show it, all by one generation
   * of rows; else undefined, and it is gone over again.
   */
  private async assignItems(inHand: ActiveClosing, lease: string): Promise<BatchSums | undefined> {
    const { items, leases } = this.parts;
    const { merchantId, currency, id } = inHand.batch;
    const { asOf, closing } = inHand;
    const before = Date.parse(closing.cutOffAt);
    const generations = new Set<number>();
    let settled = true;
    let after: UnbatchedRow | undefined;
    for (;;) {
      if (this.stopped || !(await leases.hold(lease, LEASE_MS))) return undefined;
      const request = { merchantId, currency, before, asOf, limit: PAGE };
      const page = await items.unbatched({ ...request, ...(after && { after }) });
      if (!page) return undefined;
      generations.add(page.generation);
      settled = (await this.assignPage(inHand, page.items)) && settled;
      after = page.items.at(-1);
      if (page.items.length < PAGE) break;
    }
    if (!settled) return undefined;
    // Read after the last look at what waits: an item that had left it by then is among these.
    const taken = await items.batchSums(id, asOf);
    const consistent = taken !== undefined && generations.size === 1 && generations.has(taken.generation);
    return consistent ? taken : undefined;
  }

  private async assignPage(inHand: ActiveClosing, rows: readonly UnbatchedRow[]): Promise<boolean> {
    let next = 0;
    let settled = true;
    const lane = async (): Promise<void> => {
      while (next < rows.length && !this.stopped) {
        const row = rows[next++] as UnbatchedRow;
        if ((await assignToBatch(this.parts, inHand, row)) === 'Again') settled = false;
      }
    };
    await Promise.all(Array.from({ length: Math.min(LANES, rows.length) }, lane));
    return settled && !this.stopped;
  }

  /** False where somebody else's step came between. */
  private async endClosing(inHand: ActiveClosing, known: LoadedBatch, { sums }: BatchSums): Promise<boolean> {
    const { batches, clock, readModels, log } = this.parts;
    const { batch, closing } = inHand;
    const totals = batchTotals(sums);
    const at = iso(clock.now());
    const cause = { merchantId: batch.merchantId, actor: serviceActor, causationId: batch.id };
    const written = await batches.transact(
      known.stream,
      cause,
      (state) => completeClosing(state, { at, closing: closing.number, totals }),
      { known },
    );
    if (written.kind === 'Rejected') {
      log.error('batch-not-closed', { batchId: batch.id, reason: written.rejection.message });
      return false;
    }
    if (written.kind === 'Contended') return false;
    await writeThroughBatch(readModels, written.loaded);
    const isClosed = written.events.some(({ type }) => type === 'BatchClosed');
    if (isClosed) {
      const { merchantId, currency, id: batchId } = batch;
      const { transactionCount: transactions } = totals;
      log.info('batch-closed', { batchId, merchantId, currency, transactions });
    }
    return true;
  }
}

/** Undefined where no closing is in hand. */
function activeClosing({
  state,
  history,
}: LoadedBatch & { readonly state: Batch }): ActiveClosing | undefined {
  const begun: RecordedEvent | undefined = history.findLast(({ type }) => type === 'BatchClosing');
  if (state.status !== 'Closing' || !state.closing || !begun) return undefined;
  return { batch: state, closing: state.closing, asOf: begun.position };
}

const KINDS: Readonly<Record<string, keyof KindTotals>> = {
  Sale: 'sales',
  Capture: 'sales',
  Refund: 'refunds',
  UnreferencedRefund: 'refunds',
  BankReturn: 'returns',
};

export function batchTotals(sums: readonly BatchSum[]): BatchTotals {
  const part = (isBank: boolean, kind: keyof KindTotals): ItemTotals =>
    sums
      .filter(
        ({ channel, type }) => KINDS[type] === kind && (channel === 'Ach' || channel === 'Eft') === isBank,
      )
      .reduce((sum, one) => ({ count: sum.count + one.count, amount: sum.amount + one.amount }), {
        count: 0,
        amount: 0,
      });
  const parts = (isBank: boolean): KindTotals => ({
    sales: part(isBank, 'sales'),
    refunds: part(isBank, 'refunds'),
    returns: part(isBank, 'returns'),
  });
  return {
    // Of all that was taken: what none of the parts counts must not pass as nothing.
    transactionCount: sums.reduce((all, { count }) => all + count, 0),
    amount: sums.reduce((all, { amount }) => all + amount, 0),
    card: parts(false),
    bank: parts(true),
  };
}
