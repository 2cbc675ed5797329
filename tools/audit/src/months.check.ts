import {
  settlementIdOf,
  type Adjustment,
  type MonthCharged,
  type MonthEnded,
  type MonthEndEvent,
} from '@tillstream/domain';
import { FEE_PARTS, type SettlementParts } from '@tillstream/ledger';
import { money, type Findings } from './findings.js';
import type { MerchantRecord, PageRecord, PlacedEvent } from './history.reader.js';
import type { SettlementLookup } from './settlement.lookup.js';
import type { WorkingFile } from './working.file.js';

interface MonthParts {
  readonly file: WorkingFile;
  readonly findings: Findings;
  readonly settlements: SettlementLookup;
}

/**
 * The ends of a merchant's months in one currency: what each costs, by the ledger and by the template in effect at its end; that its
 * adjustments are in one batch; and that the pages of its batches were charged with the settlement of that batch.
 * @param owner merchant and currency
 */
export function checkMonths(
  parts: MonthParts,
  owner: string,
  events: readonly PlacedEvent<MonthEndEvent>[],
): void {
  let next = 1;
  for (const event of events) {
    if (event.type !== 'MonthEnded') continue;
    const { month, batches } = event.data;
    const check = new OneMonth(parts, owner, event.data);
    parts.findings.compare('ledger', `first batch of ${month} of`, owner, [next, batches.first]);
    next = batches.last + 1;
    check.costs(event.place);
    const charged = events.find((one) => one.type === 'MonthCharged' && one.data.month === month);
    if (charged?.type === 'MonthCharged') check.charged(charged.data);
  }
}

class OneMonth {
  private readonly name: string;

  constructor(
    private readonly parts: MonthParts,
    private readonly owner: string,
    private readonly ended: MonthEnded,
  ) {
    this.name = `${ended.month} of`;
  }

  /** The fees that its batches left pending, and the monthly fee. */
  costs(place: number): void {
    const { pendingFees, merchantId, endedAt, at: decidedAt, templateId: named, adjustments } = this.ended;
    this.compare('pending fees in', [this.pendingFees(), pendingFees]);
    const at = new Date(Date.parse(endedAt) - 1).toISOString();
    const template = this.parts.settlements.templateAt({ merchantId, at, decidedAt, place, named });
    this.parts.findings.compare('fees', `template at the end of ${this.name}`, this.owner, [
      template?.templateId ?? 'none',
      named ?? 'none',
    ]);
    const fee = this.isCharged(place) ? (template?.monthlyFee ?? 0) : 0;
    this.compare('monthly fee for', [fee, amountOf(adjustments, 'MonthlyFee')]);
    this.compare('adjustment for the fees of', [pendingFees, amountOf(adjustments, 'MonthFees')]);
  }

  /** A settlement has its adjustments, each is in one batch, and the pages name that settlement. */
  charged({ settlementId }: MonthCharged): void {
    const { file, findings } = this.parts;
    for (const { adjustmentId } of this.ended.adjustments) {
      const batches = file.recordsOf<{ batchId: string }>('adjustment', adjustmentId);
      findings.compare('ledger', 'batch of the adjustment', adjustmentId, [
        `the one of ${settlementId}`,
        batches
          .map(({ data }) =>
            isOfBatch(settlementId, data.batchId) ? `the one of ${settlementId}` : data.batchId,
          )
          .join(', '),
      ]);
    }
    let charged = 0;
    for (const page of this.pages()) {
      if (page.charged?.settlementId === settlementId && page.charged.month === this.ended.month)
        charged += feesOf(page.items);
    }
    this.compare(`fees of pages that name ${settlementId} for`, [this.ended.pendingFees, charged]);
  }

  /** By the ledger of the payments. */
  private pendingFees(): number {
    let sum = 0;
    for (const settlementId of this.settlementIds()) {
      const settlement = this.parts.settlements.find(settlementId);
      if (settlement?.isCreated && settlement.started.fundingType === 'Gross')
        sum += feesOf(this.parts.file.sumsOf('settlement', settlementId) as SettlementParts);
    }
    return sum;
  }

  private *pages(): Generator<PageRecord> {
    for (const settlementId of this.settlementIds()) {
      for (const { data } of this.parts.file.recordsAfter<PageRecord>('page', settlementId, 0)) yield data;
    }
  }

  private *settlementIds(): Generator<string> {
    const { first, last } = this.ended.batches;
    const { file } = this.parts;
    for (let number = first; number <= last; number++) {
      const batch = file.recordAt<{ batchId: string }>('batch-number', this.owner, number);
      if (!batch) this.parts.findings.add('ledger', `batch ${number} of`, this.owner, NO_BATCH);
      else yield* [settlementIdOf(batch.batchId, 'Card'), settlementIdOf(batch.batchId, 'Bank')];
    }
  }

  /** An active merchant pays the monthly fee once, in its first currency. */
  private isCharged(place: number): boolean {
    const { merchantId, currency } = this.ended;
    let [first, isActive]: [string | undefined, boolean] = [undefined, true];
    for (const { part, data } of this.parts.file.recordsOf<MerchantRecord>('merchant', merchantId)) {
      if (part > place) break;
      first = data.currencies?.[0] ?? first;
      isActive = data.isActive ?? isActive;
    }
    return isActive && first === currency;
  }

  private compare(what: string, [expected, found]: readonly [number, number]): void {
    const { currency } = this.ended;
    this.parts.findings.compare('fees', `${what} ${this.name}`, this.owner, [
      money(expected, currency),
      money(found, currency),
    ]);
  }
}

const NO_BATCH = { expected: 'a batch of the month', found: 'none' };

function feesOf(parts: SettlementParts): number {
  return FEE_PARTS.reduce((sum, part) => sum + (parts[part]?.amount ?? 0), 0);
}

function amountOf(adjustments: readonly Adjustment[], wanted: Adjustment['kind']): number {
  return adjustments.reduce((sum, { kind, amount }) => (kind === wanted ? sum - amount : sum), 0);
}

function isOfBatch(settlementId: string, batchId: string): boolean {
  return [settlementIdOf(batchId, 'Card'), settlementIdOf(batchId, 'Bank')].includes(settlementId);
}
