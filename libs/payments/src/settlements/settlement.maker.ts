import {
  createSettlement,
  nextSettlementPage,
  NO_SUMS,
  settleBatch,
  SETTLEMENT_PAGE_ROWS_MAX,
  settlementIdOf,
  settlementKinds,
  startSettlement,
  accepted,
  streamOfSettlement,
  streamOfSettlementPage,
  type Batch,
  type BatchSettlement,
  type Channel,
  type OperationId,
  type PageSettled,
  type SettledItem,
  type SettledRow,
  type Settlement,
  type SettlementKind,
} from '@tillstream/domain';
import type { Position } from '@tillstream/event-store';
import type { BatchRow } from '../batches/batch-items.port.js';
import type { BatchParts } from '../batches/batches.js';
import { ProgressLog } from '../batches/progress.log.js';
import { iso } from '../ports/clock.port.js';
import { ClosingPace } from '../batches/closing.pace.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { serviceActor, type Cause } from '../stream-repository/event-metadata.js';
import type { LoadedBatch } from '../stream-repository/repositories.js';
import { settledItems } from './settled.items.js';
import { MonthFees } from '../month-ends/month.fees.js';
import { settlementTerms } from './settlement.terms.js';

const CHANNELS: Readonly<Record<SettlementKind, readonly Channel[]>> = {
  Card: ['CardPresent', 'CardNotPresent', 'Token'],
  Bank: ['Ach', 'Eft'],
};
const CONCURRENT_PAYMENTS_MAX = 25;

/** The closing of a batch is over: the rows show what it took from this position on. */
interface ClosedBatch {
  readonly batch: Batch;
  readonly asOf: Position;
  readonly cause: Cause;
  /** False once this process has to stop. */
  continues(): Promise<boolean>;
}

/**
 * Makes the settlements of closed batches. The process can be killed at any instruction or run at the same time as another
 * one: ids follow from the batch, the first event of a settlement keeps what its pages depend on, and each page is a stream
 * that is written once. It holds one page in memory, however large the batch is.
 */
export class SettlementMaker {
  private readonly monthFees: MonthFees;

  constructor(private readonly parts: BatchParts) {
    this.monthFees = new MonthFees(parts);
  }

  /**
   * Makes what is missing of a closed batch's settlements. False if it has to be repeated: the rows are not up to date, this
   * process stops, or the items do not add up, which is logged.
   */
  async make({ state, stream, history }: LoadedBatch, continues: () => Promise<boolean>): Promise<boolean> {
    const closed = history.findLast(({ type }) => type === 'BatchClosed');
    if (state.status !== 'Closed' || !closed) return true;
    const { merchantId, id: causationId } = state;
    const cause = { merchantId, actor: serviceActor, causationId };
    const made: BatchSettlement[] = [];
    for (const kind of settlementKinds(state)) {
      const settlement = await this.makeOne({ batch: state, asOf: closed.position, cause, continues }, kind);
      if (!settlement) return false;
      made.push(settlement);
    }
    if (!(await this.monthFees.charge(state, continues))) return false;
    const { batches, clock, readModels } = this.parts;
    const data = { at: iso(clock.now()), settlements: made };
    const written = await batches.transact(stream, cause, (batch) => settleBatch(batch, data));
    if (written.kind !== 'Written') return false;
    await writeThrough(readModels, written.loaded);
    return true;
  }

  private async makeOne(closed: ClosedBatch, kind: SettlementKind): Promise<BatchSettlement | undefined> {
    const { settlements, clock, readModels, log } = this.parts;
    const { batch, cause } = closed;
    const settlementId = settlementIdOf(batch.id, kind);
    const stream = streamOfSettlement(settlementId) ?? '';
    let loaded = await settlements.load(stream);
    if (loaded.state.status === 'None') {
      const terms = await settlementTerms(this.parts, batch, kind);
      const data = { at: iso(clock.now()), ...terms };
      const started = await settlements.transact(loaded, cause, (state) => startSettlement(state, data));
      if (started.kind !== 'Written') return undefined;
      loaded = started.loaded;
    }
    if (loaded.state.status === 'None') return undefined;
    if (loaded.state.status === 'Started') {
      const pages = await this.makePages(closed, loaded.state);
      if (!pages) return undefined;
      const command = { at: iso(clock.now()), ...pages };
      const created = await settlements.transact(loaded, cause, (state) => createSettlement(state, command));
      if (created.kind === 'Rejected') {
        const { message: reason } = created.rejection;
        log.error('settlement-not-created', { settlementId, batchId: batch.id, reason });
      }
      if (created.kind !== 'Written') return undefined;
      loaded = created.loaded;
      const { merchantId, currency } = batch;
      log.info('settlement-created', { settlementId, batchId: batch.id, merchantId, currency });
    }
    await writeThrough(readModels, loaded);
    const created = loaded.state.status === 'None' ? undefined : loaded.state.created;
    if (!created) return undefined;
    const { transactionCount, amount } = created;
    return { settlementId, kind, transactionCount, amount };
  }

  /** Continues after the last page that is stored. Undefined if it has to be repeated. */
  private async makePages(closed: ClosedBatch, settlement: Settlement) {
    const { settlementId, batchId, merchantId, currency } = settlement;
    const progress = new ProgressLog((transactions) =>
      this.parts.log.info('settlement-progress', {
        settlementId,
        batchId,
        merchantId,
        currency,
        transactions,
      }),
    );
    const pace = new ClosingPace();
    let last = await this.lastPage(settlementId);
    while (!last?.isLast) {
      if (!(await closed.continues())) return undefined;
      const rows = await this.nextRows(closed, settlement, last);
      if (!rows) return undefined;
      // Without rows the sums show what is missing, unless only adjustments make the settlement.
      if (rows.lastRow === undefined) break;
      const items = await this.itemsOf(rows.operationIds, rows.lastRow.part, settlement);
      const { lastRow, isLast } = rows;
      const at = iso(this.parts.clock.now());
      last = await this.store(nextSettlementPage(settlement, last, { at, items, lastRow, isLast }), closed);
      if (!last) return undefined;
      progress.add(items.length);
      await pace.worked(items.length);
    }
    return { pages: last?.page ?? 0, sums: last?.sums ?? NO_SUMS };
  }

  /** Undefined while the rows are not up to date. */
  private async nextRows({ asOf }: ClosedBatch, settlement: Settlement, last: PageSettled | undefined) {
    const { merchantId, currency, batchId, kind, expected } = settlement;
    const request = { merchantId, currency, batchId, asOf, channels: CHANNELS[kind] };
    const limit = SETTLEMENT_PAGE_ROWS_MAX + 1;
    const find = (part: SettledRow['part']): Promise<readonly BatchRow[] | undefined> => {
      const after = last?.lastRow.part === part ? last.lastRow : undefined;
      return this.parts.items.batchRows({ ...request, part, limit, ...(after && { after }) });
    };
    let part: SettledRow['part'] = last?.lastRow.part ?? 'Operations';
    let found = await find(part);
    if (found?.length === 0 && part === 'Operations') {
      part = 'Returns';
      found = await find(part);
    }
    if (!found) return undefined;
    const rows = found.slice(0, SETTLEMENT_PAGE_ROWS_MAX);
    const lastFound = rows.at(-1);
    const isLast = rows.length === found.length && (part === 'Returns' || expected.returns.count === 0);
    return {
      operationIds: rows.map(({ operationId }) => operationId as OperationId),
      lastRow: lastFound && settledRow(part, lastFound),
      isLast,
    };
  }

  private async itemsOf(
    operationIds: readonly OperationId[],
    part: SettledRow['part'],
    { batchId, pricing }: Settlement,
  ): Promise<SettledItem[]> {
    const { payments } = this.parts;
    const items: SettledItem[][] = [];
    let next = 0;
    const readNext = async (): Promise<void> => {
      while (next < operationIds.length) {
        const place = next++;
        const taken = { batchId, part, ...(pricing && { pricing }) };
        items[place] = await settledItems(payments, operationIds[place] as OperationId, taken);
      }
    };
    const readers = Math.min(CONCURRENT_PAYMENTS_MAX, operationIds.length);
    await Promise.all(Array.from({ length: readers }, readNext));
    return items.flat();
  }

  /** The page as it is stored: another process may have stored it first. */
  private async store(page: PageSettled, { cause }: ClosedBatch): Promise<PageSettled | undefined> {
    const { settlementPages, readModels } = this.parts;
    const stream = streamOfSettlementPage(page.settlementId, page.page);
    const known = settlementPages.emptyStream(stream);
    const written = await settlementPages.transact(known, cause, (state) =>
      accepted(state.status === 'None' ? [{ type: 'PageSettled', data: page }] : [], undefined),
    );
    if (written.kind !== 'Written' || written.loaded.state.status === 'None') return undefined;
    await writeThrough(readModels, written.loaded);
    return written.loaded.state;
  }

  /** Pages follow each other without gaps: doubles the step past the last one, then halves the interval. */
  private async lastPage(settlementId: string): Promise<PageSettled | undefined> {
    const find = async (page: number): Promise<PageSettled | undefined> => {
      const { state } = await this.parts.settlementPages.load(streamOfSettlementPage(settlementId, page));
      return state.status === 'None' ? undefined : state;
    };
    let last: PageSettled | undefined;
    let missing = 1;
    for (let found = await find(missing); found; found = await find(missing)) {
      last = found;
      missing = 2 * found.page;
    }
    while (last && missing - last.page > 1) {
      const middle = (last.page + missing) >> 1;
      const found = await find(middle);
      if (found) last = found;
      else missing = middle;
    }
    return last;
  }
}

function settledRow(part: SettledRow['part'], { createdAt, operationId }: BatchRow): SettledRow {
  return { part, createdAt, operationId: operationId as OperationId };
}
