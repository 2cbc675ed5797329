import { accepted, foldOf, ImpossibleHistory, type Decision } from '../shared/aggregate.js';
import type { MonthAssigned, MonthCharged, MonthEnded, MonthEndEvent } from './month-end.events.js';

/*
 * Which months of a merchant and currency have ended, and every rule about it. A month ends once, its adjustments are in at most
 * one batch, and its batches follow those of the month before without a gap.
 */

export type MonthEndsState = { readonly status: 'None' } | MonthEnds;

export interface MonthEnds {
  readonly status: 'Running';
  /** The last month that ended, `YYYY-MM`. */
  readonly lastMonth: string;
  readonly lastBatchNumber: number;
  /** The months whose adjustments no settlement has yet, the oldest first. */
  readonly uncharged: readonly UnchargedMonth[];
}

export interface UnchargedMonth extends MonthEnded {
  readonly batchId?: string;
}

export const noMonthEnds: MonthEndsState = { status: 'None' };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveMonthEnds(state: MonthEndsState, event: MonthEndEvent): MonthEndsState {
  if (event.type === 'MonthEnded') return evolveEnded(state, event.data);
  const month = findUncharged(state, event.data.month);
  if (state.status === 'None' || !month)
    throw new ImpossibleHistory(`${event.type} of ${event.data.month}, which does not wait for it`);
  if (event.type === 'MonthAssigned') {
    const { batchId } = event.data;
    const uncharged = state.uncharged.map((one) => (one === month ? { ...one, batchId } : one));
    return { ...state, uncharged };
  }
  if (month.batchId === undefined) throw new ImpossibleHistory('a month without a batch is not charged');
  return { ...state, uncharged: state.uncharged.filter((one) => one !== month) };
}

function evolveEnded(state: MonthEndsState, ended: MonthEnded): MonthEndsState {
  const { month, batches, adjustments } = ended;
  if (state.status === 'Running' && month <= state.lastMonth)
    throw new ImpossibleHistory(`${month} ended after ${state.lastMonth}`);
  if (batches.first !== nextBatchNumber(state) || batches.last < batches.first - 1)
    throw new ImpossibleHistory(
      `the batches of ${month} do not follow those before: ${JSON.stringify(batches)}`,
    );
  const before = state.status === 'None' ? [] : state.uncharged;
  return {
    status: 'Running',
    lastMonth: month,
    lastBatchNumber: batches.last,
    uncharged: adjustments.length === 0 ? before : [...before, ended],
  };
}

export const foldMonthEnds = foldOf(evolveMonthEnds, noMonthEnds);

/** The number of the first batch that belongs to no month that ended. */
export function nextBatchNumber(state: MonthEndsState): number {
  return state.status === 'None' ? 1 : state.lastBatchNumber + 1;
}

export function findUncharged(state: MonthEndsState, month: string): UnchargedMonth | undefined {
  return state.status === 'None' ? undefined : state.uncharged.find((one) => one.month === month);
}

export type MonthEndDecision = Decision<MonthEndEvent, never>;

/**
 * Adds nothing if another process ended this month or one before it meanwhile: the first one decides what it costs, and the caller
 * looks again.
 */
export function endMonth(state: MonthEndsState, data: MonthEnded): MonthEndDecision {
  const isLater = state.status === 'None' || data.month > state.lastMonth;
  const isNext = isLater && data.batches.first === nextBatchNumber(state);
  return accepted(isNext ? [{ type: 'MonthEnded', data }] : [], undefined);
}

/**
 * `instead`: the batch that the caller found closed without the adjustments. Adds nothing if another process assigned the month
 * meanwhile.
 */
export function assignMonth(
  state: MonthEndsState,
  data: MonthAssigned,
  instead: string | undefined,
): MonthEndDecision {
  const month = findUncharged(state, data.month);
  const isCurrent = month !== undefined && month.batchId === instead;
  return accepted(isCurrent ? [{ type: 'MonthAssigned', data }] : [], undefined);
}

/** Adds nothing if it was charged before. */
export function chargeMonth(state: MonthEndsState, data: MonthCharged): MonthEndDecision {
  const waits = findUncharged(state, data.month) !== undefined;
  return accepted(waits ? [{ type: 'MonthCharged', data }] : [], undefined);
}
