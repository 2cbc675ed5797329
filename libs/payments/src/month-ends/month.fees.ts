import {
  accepted,
  adjustedKind,
  chargeMonth,
  feesOfItems,
  findUncharged,
  monthEndStream,
  settlementIdOf,
  streamOfSettlement,
  streamOfSettlementPage,
  type Batch,
  type BatchRange,
  type Currency,
  type Settlement,
  type SettlementPageState,
} from '@tillstream/domain';
import { batchIdFor } from '../batches/batch.register.js';
import type { BatchParts } from '../batches/batches.js';
import { iso } from '../ports/clock.port.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { serviceActor } from '../stream-repository/event-metadata.js';

const CONCURRENT_PAGES_MAX = 25;

interface ChargedWith {
  readonly settlementId: string;
  /** When that settlement was created. */
  readonly at: string;
  readonly month: string;
}

/**
 * Fees of payments with `Gross` funding: pending until a settlement has them as an adjustment, at the end of the month. A
 * repeat after a crash charges the pages that are left.
 */
export class MonthFees {
  constructor(private readonly parts: BatchParts) {}

  /** Cents that the settlements of these batches left pending. */
  async pending(merchantId: string, currency: Currency, batches: BatchRange): Promise<number> {
    let sum = 0;
    for await (const { fundingType, created } of this.settlementsOf(merchantId, currency, batches)) {
      if (fundingType !== 'Gross' || !created) continue;
      sum += feesOfItems(created.sums);
    }
    return sum;
  }

  /**
   * Charges the pending fees of the months whose adjustments a closed batch took; its settlements were created before. False if
   * it has to be repeated, because the process stops.
   */
  async charge(batch: Batch, continues: () => Promise<boolean>): Promise<boolean> {
    const { monthEnds, settlements, clock } = this.parts;
    const { merchantId, currency } = batch;
    const kind = adjustedKind(batch);
    const months = new Set(batch.adjustments.flatMap(({ month }) => month ?? []));
    const stream = monthEndStream(merchantId, currency);
    if (kind === undefined || stream === undefined || months.size === 0) return true;
    const settlementId = settlementIdOf(batch.id, kind);
    const { state: settlement } = await settlements.load(streamOfSettlement(settlementId) ?? '');
    if (settlement.status === 'None') throw new Error(`there is no settlement ${settlementId}`);
    const cause = { merchantId, actor: serviceActor, causationId: batch.id };
    for (const month of months) {
      const loaded = await monthEnds.load(stream);
      const ended = findUncharged(loaded.state, month);
      if (!ended) continue;
      const charged = { settlementId, at: settlement.createdAt, month };
      const { batches, pendingFees } = ended;
      for await (const one of pendingFees > 0 ? this.settlementsOf(merchantId, currency, batches) : []) {
        if (!(await continues())) return false;
        if (one.fundingType === 'Gross') await this.chargePages(one, charged);
      }
      const data = { at: iso(clock.now()), month, settlementId };
      await monthEnds.transact(loaded, cause, (state) => chargeMonth(state, data));
    }
    return true;
  }

  private async *settlementsOf(
    merchantId: string,
    currency: Currency,
    { first, last }: BatchRange,
  ): AsyncGenerator<Settlement> {
    const { register, settlements } = this.parts;
    for (let number = first; number <= last; number++) {
      const batch = await register.load(batchIdFor(merchantId, currency, number));
      for (const { settlementId } of batch?.state.settlements ?? []) {
        const { state } = await settlements.load(streamOfSettlement(settlementId) ?? '');
        if (state.status === 'None') throw new Error(`there is no settlement ${settlementId}`);
        yield state;
      }
    }
  }

  private async chargePages({ settlementId, created }: Settlement, charged: ChargedWith): Promise<void> {
    const pages = created?.pages ?? 0;
    let next = 1;
    const chargeNext = async (): Promise<void> => {
      while (next <= pages) await this.chargePage(streamOfSettlementPage(settlementId, next++), charged);
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENT_PAGES_MAX, pages) }, chargeNext));
  }

  private async chargePage(stream: string, { settlementId, at, month }: ChargedWith): Promise<void> {
    const { settlementPages, readModels } = this.parts;
    const loaded = await settlementPages.load(stream);
    if (loaded.state.status === 'None') throw new Error(`there is no page ${stream}`);
    const cause = { merchantId: loaded.state.merchantId, actor: serviceActor, causationId: settlementId };
    const written = await settlementPages.transact(loaded, cause, (state) =>
      accepted(
        hasPendingFees(state)
          ? [{ type: 'PageFeesCharged' as const, data: { at, settlementId, month } }]
          : [],
        undefined,
      ),
    );
    if (written.kind !== 'Written' || written.loaded.state.status === 'None')
      throw new Error(`the fees of page ${stream} were not charged`);
    await writeThrough(readModels, written.loaded);
  }
}

function hasPendingFees(page: SettlementPageState): boolean {
  return page.status === 'Settled' && !page.charged && page.items.some(({ fee }) => fee !== undefined);
}
