import { accepted, rejected, type Decision } from '../shared/decision.js';
import type { BatchEvent, BatchOpened, BatchTotals } from './batch.events.js';
import type { Batch, BatchState } from './batch.state.js';

/* Every rule about a batch. A step that is repeated or too late adds no event. */

export interface BatchRejection {
  readonly code:
    /** The batch with the next number is the open one. */
    | 'BatchClosed'
    /** The cut-off is before the end of an earlier closing. */
    | 'CutOffPassed'
    /** The parts do not add up to the total. */
    | 'WrongTotals';
  readonly message: string;
}

export type BatchDecision = Decision<BatchEvent, BatchRejection>;

export interface StartClosing {
  readonly at: string;
  readonly cutOffAt: string;
  readonly cause: 'CutOff' | 'Operator';
  /** For a batch that has no events yet. */
  readonly opening: Omit<BatchOpened, 'at'>;
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

/** Ends a closing after each of its items was taken or left for the next batch. `totals` are the sums of the taken items. */
export function completeClosing(
  state: BatchState,
  { at, closing, totals }: { readonly at: string; readonly closing: number; readonly totals: BatchTotals },
): BatchDecision {
  if (state.status !== 'Closing' || state.closing?.number !== closing) return accepted([], undefined);
  const wrong = totalsError(totals);
  if (wrong !== undefined) return rejected({ code: 'WrongTotals', message: wrong });
  if (totals.transactionCount === 0) {
    return accepted([{ type: 'BatchStayedOpen', data: { at, closing } }], undefined);
  }
  const { cutOffAt } = state.closing;
  return accepted([{ type: 'BatchClosed', data: { at, closing, cutOffAt, ...totals } }], undefined);
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
