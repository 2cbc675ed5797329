import { hash } from 'node:crypto';
import {
  addMonths,
  assignMonth,
  dateInZone,
  endMonth,
  endOfMonth,
  isBeingClosed,
  monthEndStream,
  monthOfDate,
  nextBatchNumber,
  nextCutOff,
  nextMonth,
  streamOfBatch,
  templateInEffect,
  ulidOfHash,
  type Adjustment,
  type Batch,
  type BatchState,
  type Currency,
  type Merchant,
  type MonthEnded,
  type UnchargedMonth,
} from '@tillstream/domain';
import { batchIdFor, type CurrentBatch } from '../batches/batch.register.js';
import type { BatchParts } from '../batches/batches.js';
import { iso } from '../ports/clock.port.js';
import { loadTemplates } from '../settlements/settlement.terms.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { LoadedMonthEnds } from './month-end.repository.js';
import { MonthFees } from './month.fees.js';

/** `Wait`: a batch is being closed, and decides what follows. */
type Step = 'Wait' | (() => Promise<void>);

/** Monthly fees of earlier months are not charged: a batch and its settlement have to stay small. */
const MISSED_MONTHS_MAX = 24;
/** More than the steps of these months. */
const STEPS_MAX = 200;

/**
 * Ends the months of a merchant and currency (`docs/spec/settlement.md#the-end-of-a-month`). First an event fixes what the month
 * costs, then one names the batch, then that batch takes the adjustments. So the process can be killed between any two of them, and
 * run at the same time as another one. `MonthFees` does the rest when the batch is settled.
 */
export class MonthEnds {
  private readonly fees: MonthFees;

  constructor(private readonly parts: BatchParts) {
    this.fees = new MonthFees(parts);
  }

  async isDue(merchant: Merchant, currency: Currency): Promise<boolean> {
    return (await this.nextStep(merchant, currency)) !== undefined;
  }

  /** False if it has to be repeated, because a batch is being closed. */
  async run(merchant: Merchant, currency: Currency): Promise<boolean> {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const step = await this.nextStep(merchant, currency);
      if (step === undefined) return true;
      if (step === 'Wait') return false;
      await step();
    }
    return false;
  }

  private async nextStep(merchant: Merchant, currency: Currency): Promise<Step | undefined> {
    const loaded = await this.parts.monthEnds.load(monthEndStream(merchant.id, currency) ?? '');
    const uncharged = loaded.state.status === 'None' ? [] : loaded.state.uncharged;
    for (const month of uncharged) {
      const step = await this.stepOfAdjustments(merchant, loaded, month);
      if (step !== undefined) return step;
    }
    return this.stepOfNextMonth(merchant, currency, loaded);
  }

  /** Undefined once a batch has them. */
  private async stepOfAdjustments(
    merchant: Merchant,
    months: LoadedMonthEnds,
    { month, currency, adjustments, batchId }: UnchargedMonth,
  ): Promise<Step | undefined> {
    const { batches, register, monthEnds, clock } = this.parts;
    const by = { merchantId: merchant.id, actor: serviceActor, causationId: `${month} ${currency}` };
    if (batchId !== undefined) {
      const { state } = await batches.load(streamOfBatch(batchId) ?? '');
      if (hasAdjustments(state, adjustments)) return undefined;
      if (state.status === 'Closing') return 'Wait';
      if (state.status !== 'Closed') {
        return async () => {
          const current = await register.current(merchant, currency);
          if (current.id === batchId) await register.adjust(current, adjustments, by);
        };
      }
    }
    const current = await register.current(merchant, currency);
    if (isBeingClosed(current.loaded.state)) return 'Wait';
    return async () => {
      const data = { at: iso(clock.now()), month, batchId: current.id };
      await monthEnds.transact(months, by, (state) => assignMonth(state, data, batchId));
    };
  }

  /** Undefined if no month has ended since the last one. Months without fees and batches need no event. */
  private async stepOfNextMonth(
    merchant: Merchant,
    currency: Currency,
    months: LoadedMonthEnds,
  ): Promise<Step | undefined> {
    const { clock, register, monthEnds } = this.parts;
    const { timeZone } = merchant;
    let month = firstMonth(merchant, months, clock.now());
    if (endOfMonth(month, timeZone) > clock.now()) return undefined;
    const current = await register.current(merchant, currency);
    const templates = await loadTemplates(this.parts, merchant.id);
    for (;;) {
      const endedAt = endOfMonth(month, timeZone);
      if (endedAt > clock.now()) return undefined;
      if (await this.closesBefore(endedAt, merchant, current)) return 'Wait';
      const first = nextBatchNumber(months.state);
      const batches = { first, last: await this.lastBatchBefore(endedAt, first, current) };
      const pendingFees = await this.fees.pending(merchant.id, currency, batches);
      const template = templateInEffect(templates, iso(endedAt - 1));
      const costs = {
        monthlyFee: isCharged(merchant, currency) ? (template?.monthlyFee ?? 0) : 0,
        pendingFees,
      };
      const data: MonthEnded = {
        ...{ at: iso(clock.now()), merchantId: merchant.id, currency, month, endedAt: iso(endedAt) },
        ...{ batches, pendingFees },
        ...(template && { templateId: template.id }),
        adjustments: adjustmentsOf({ merchantId: merchant.id, currency, month, at: iso(clock.now()) }, costs),
      };
      if (data.adjustments.length > 0 || batches.last >= batches.first) {
        const by = { merchantId: merchant.id, actor: serviceActor };
        return async () => void (await monthEnds.transact(months, by, (state) => endMonth(state, data)));
      }
      month = nextMonth(month);
    }
  }

  /** Whether a batch of the month is still to be closed. */
  private async closesBefore(
    endedAt: number,
    { timeZone, cutOff }: Merchant,
    { merchantId, currency, examinedUntil, loaded }: CurrentBatch,
  ): Promise<boolean> {
    if (isBeingClosed(loaded.state)) return true;
    const since = Date.parse(examinedUntil);
    const oldest = await this.parts.items.oldestUnbatchedSince(merchantId, currency, since);
    return oldest !== undefined && nextCutOff(oldest, timeZone, cutOff) < endedAt;
  }

  /** The number of the last batch with a cut-off before the end; `first` − 1 if there is none. */
  private async lastBatchBefore(endedAt: number, first: number, current: CurrentBatch): Promise<number> {
    const { merchantId, currency } = current;
    let last = first - 1;
    while (last + 1 < current.number) {
      const batch = await this.parts.register.load(batchIdFor(merchantId, currency, last + 1));
      if (!closedBefore(endedAt, batch?.state)) break;
      last += 1;
    }
    return last;
  }
}

/** The month after the last one that ended. The first of all is that in which the merchant was created. */
function firstMonth({ createdAt, timeZone }: Merchant, { state }: LoadedMonthEnds, now: number): string {
  const monthOf = (instant: number): string => monthOfDate(dateInZone(instant, timeZone));
  const next = state.status === 'None' ? monthOf(Date.parse(createdAt)) : nextMonth(state.lastMonth);
  const earliest = addMonths(monthOf(now), -MISSED_MONTHS_MAX);
  return next > earliest ? next : earliest;
}

/** Once for each merchant, in its first currency. */
function isCharged({ status, currencies }: Merchant, currency: Currency): boolean {
  return status === 'Active' && currencies[0] === currency;
}

function closedBefore(endedAt: number, batch: Batch | undefined): boolean {
  return batch?.closing !== undefined && Date.parse(batch.closing.cutOffAt) < endedAt;
}

function hasAdjustments(batch: BatchState, adjustments: readonly Adjustment[]): boolean {
  if (batch.status === 'None') return false;
  return adjustments.every(({ adjustmentId }) =>
    batch.adjustments.some((one) => one.adjustmentId === adjustmentId),
  );
}

/** Their ids follow from the month. */
function adjustmentsOf(
  { merchantId, currency, month, at }: Pick<MonthEnded, 'merchantId' | 'currency' | 'month' | 'at'>,
  { monthlyFee, pendingFees }: { readonly monthlyFee: number; readonly pendingFees: number },
): Adjustment[] {
  const characters = (kind: string): string =>
    ulidOfHash(hash('sha256', `month-end/${merchantId}/${currency}/${month}/${kind}`, 'buffer'));
  const adjustments: Adjustment[] = [];
  if (monthlyFee > 0) {
    const id = characters('MonthlyFee');
    const ids = { adjustmentId: `adj_${id}`, feeId: `fee_${id}` };
    adjustments.push({ ...ids, kind: 'MonthlyFee', at, amount: -monthlyFee, month });
  }
  if (pendingFees > 0) {
    const adjustmentId = `adj_${characters('MonthFees')}`;
    adjustments.push({ adjustmentId, kind: 'MonthFees', at, amount: -pendingFees, month });
  }
  return adjustments;
}
