import { accepted, foldOf, ImpossibleHistory, rejected, type Decision } from '../shared/aggregate.js';
import { MANUAL_ADJUSTMENTS_MAX, type Adjustment } from './adjustment.js';
import type {
  BatchClosing,
  BatchEvent,
  BatchOpened,
  BatchSettled,
  BatchSettlement,
  BatchStayedOpen,
  BatchTotals,
} from './batch.events.js';

/* The state of a batch, and every rule about it. */

export interface Batch extends Omit<BatchOpened, 'at' | 'batchId'> {
  readonly status: 'Open' | 'Closing' | 'Closed';
  readonly id: string;
  /** In the order in which they were recorded. The batch is not empty with them. */
  readonly adjustments: readonly Adjustment[];
  /** The last closing, running or finished. Absent before the first. */
  readonly closing?: Closing;
  /** Of a closed batch. */
  readonly totals?: BatchTotals;
  /** Of a closed batch, once all of them were created. */
  readonly settlements?: readonly BatchSettlement[];
}

/** `at`: its start. */
export interface Closing extends Omit<BatchClosing, 'closing'> {
  readonly number: number;
}

export type BatchState = { readonly status: 'None' } | Batch;

export const noBatch: BatchState = { status: 'None' };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveBatch(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchOpened') {
    if (state.status !== 'None') throw new ImpossibleHistory('a batch is opened once');
    const { at: _at, batchId: id, ...opened } = event.data;
    return { ...opened, status: 'Open', id, adjustments: [] };
  }
  if (state.status === 'None') throw new ImpossibleHistory(`${event.type} of a batch that was never opened`);
  if (event.type === 'BatchSettled') {
    if (!waitsForSettlements(state))
      throw new ImpossibleHistory('a batch is settled once, after it was closed');
    return { ...state, settlements: event.data.settlements };
  }
  if (event.type === 'BatchAdjusted') {
    if (state.status !== 'Open')
      throw new ImpossibleHistory(`a batch that is ${state.status} is not adjusted`);
    return { ...state, adjustments: [...state.adjustments, event.data] };
  }
  if (event.type === 'BatchClosing') {
    if (state.status !== 'Open')
      throw new ImpossibleHistory(`a batch that is ${state.status} can not start closing`);
    const { closing: number, ...closing } = event.data;
    return { ...state, status: 'Closing', closing: { ...closing, number } };
  }
  if (state.status !== 'Closing' || state.closing?.number !== event.data.closing) {
    throw new ImpossibleHistory(`${event.type} of closing ${event.data.closing}, which is not running`);
  }
  if (event.type === 'BatchStayedOpen') return { ...state, status: 'Open' };
  const { at: _at, closing: _closing, cutOffAt: _cutOffAt, ...totals } = event.data;
  return { ...state, status: 'Closed', totals };
}

export const foldBatch = foldOf(evolveBatch, noBatch);

export interface BatchRejection {
  readonly code:
    /** The batch with the next number is the open one. */
    | 'BatchClosed'
    /** The cut-off is before the end of an earlier closing. */
    | 'CutOffPassed'
    /** The parts do not add up to the total. */
    | 'WrongTotals'
    /** A closing runs. What it finds decides whether this batch or the next one takes the adjustment. */
    | 'BatchIsClosing'
    | 'TooManyAdjustments';
  readonly message: string;
}

export type BatchDecision = Decision<BatchEvent, BatchRejection>;

export interface StartClosing extends Omit<BatchClosing, 'closing'> {
  /** For a batch that has no events yet. */
  readonly opening: Omit<BatchOpened, 'at'>;
}

/** Opens the batch if it has no events yet. Adds nothing for an adjustment that it has. */
export function adjustBatch(
  state: BatchState,
  opening: BatchOpened,
  adjustments: readonly Adjustment[],
): BatchDecision {
  const recorded = state.status === 'None' ? [] : state.adjustments;
  const missing = adjustments.filter(
    ({ adjustmentId }) => !recorded.some((one) => one.adjustmentId === adjustmentId),
  );
  if (missing.length === 0) return accepted([], undefined);
  if (state.status === 'Closing')
    return rejected({ code: 'BatchIsClosing', message: 'The batch is being closed.' });
  if (state.status === 'Closed') return rejected({ code: 'BatchClosed', message: 'The batch is closed.' });
  const manual = [...recorded, ...missing].filter(({ kind }) => kind === 'Manual').length;
  if (manual > MANUAL_ADJUSTMENTS_MAX)
    return rejected({
      code: 'TooManyAdjustments',
      message: `A batch has at most ${MANUAL_ADJUSTMENTS_MAX} adjustments by operators.`,
    });
  const opened: BatchEvent[] = state.status === 'None' ? [{ type: 'BatchOpened', data: opening }] : [];
  const adjusted = missing.map((data): BatchEvent => ({ type: 'BatchAdjusted', data }));
  return accepted([...opened, ...adjusted], undefined);
}

/** Opens the batch if it has no events yet. Adds nothing if a closing is already running. */
export function startClosing(state: BatchState, command: StartClosing): BatchDecision {
  const { at, cutOffAt, cause, opening } = command;
  if (state.status === 'Closing') return accepted([], undefined);
  if (state.status === 'Closed') return rejected({ code: 'BatchClosed', message: 'The batch is closed.' });
  if (cutOffAt < (state.status === 'None' ? opening.openedAt : openSince(state))) {
    return rejected({
      code: 'CutOffPassed',
      message: `An earlier closing has already covered the time before ${cutOffAt}.`,
    });
  }
  const closing = (state.status === 'None' ? 0 : (state.closing?.number ?? 0)) + 1;
  const opened: BatchEvent[] =
    state.status === 'None' ? [{ type: 'BatchOpened', data: { at, ...opening } }] : [];
  return accepted([...opened, { type: 'BatchClosing', data: { at, closing, cutOffAt, cause } }], undefined);
}

/** Ends a closing after each item was taken or left for the next batch. `totals`: the sums of the taken items. */
export function completeClosing(
  state: BatchState,
  { at, closing, totals }: BatchStayedOpen & { readonly totals: BatchTotals },
): BatchDecision {
  if (state.status !== 'Closing' || state.closing?.number !== closing) return accepted([], undefined);
  const wrong = totalsError(totals);
  if (wrong !== undefined) return rejected({ code: 'WrongTotals', message: wrong });
  if (totals.transactionCount === 0 && state.adjustments.length === 0) {
    return accepted([{ type: 'BatchStayedOpen', data: { at, closing } }], undefined);
  }
  const { cutOffAt } = state.closing;
  return accepted([{ type: 'BatchClosed', data: { at, closing, cutOffAt, ...totals } }], undefined);
}

/** Records that each settlement of the batch was created. Adds nothing if another process recorded it. */
export function settleBatch(state: BatchState, data: BatchSettled): BatchDecision {
  return accepted(waitsForSettlements(state) ? [{ type: 'BatchSettled', data }] : [], undefined);
}

/** It is closed, and not all of its settlements are known to be created. */
export function waitsForSettlements(state: BatchState): boolean {
  return state.status === 'Closed' && state.settlements === undefined;
}

/** A closing of it started and is not over: items are being assigned, or settlements made. */
export function isBeingClosed(state: BatchState): boolean {
  return state.status === 'Closing' || waitsForSettlements(state);
}

/** The end of the time that earlier closings cover: of the batch before, or of a closing that left this batch open. */
export function openSince({ openedAt, closing }: Batch): string {
  return closing && closing.cutOffAt > openedAt ? closing.cutOffAt : openedAt;
}

function totalsError({ transactionCount, amount, card, bank }: BatchTotals): string | undefined {
  const parts = [card, bank].flatMap(({ sales, refunds, returns }) => [sales, refunds, returns]);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const total = parts.reduce((sum, part) => sum + part.amount, 0);
  const whole = parts.every((part) => Number.isSafeInteger(part.count) && Number.isSafeInteger(part.amount));
  if (whole && count === transactionCount && total === amount) return undefined;
  return `the parts are ${count} items and ${total} cents, the whole is ${transactionCount} and ${amount}`;
}
