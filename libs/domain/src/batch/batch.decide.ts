import { accepted, rejected, type Decision } from '../shared/decision.js';
import type { BatchEvent, BatchOpened, BatchTotals } from './batch.events.js';
import type { Batch, BatchState } from './batch.state.js';

/* Every rule of a batch's life. Told twice or too late, each step has nothing left to say. */

export interface BatchRejection {
  readonly code:
    /** It is over; the next number is the open one. */
    | 'BatchClosed'
    /** The cut-off lies before what is closed already. */
    | 'CutOffPassed'
    /** The sums do not add up. */
    | 'WrongTotals';
  readonly message: string;
}

export type BatchDecision = Decision<BatchEvent, BatchRejection>;

export interface StartClosing {
  readonly at: string;
  readonly cutOffAt: string;
  readonly cause: 'CutOff' | 'Operator';
  /** For a batch that nobody wrote down yet. */
  readonly opening: Omit<BatchOpened, 'at'>;
}

/** Opens the batch where it is only virtual so far. A closing in hand is what was asked for: nothing is added. */
export function startClosing(state: BatchState, command: StartClosing): BatchDecision {
  const { at, cutOffAt, cause, opening } = command;
  if (state.status === 'Closing') return accepted([], undefined);
  if (state.status === 'Closed') return rejected({ code: 'BatchClosed', message: 'The batch is closed.' });
  if (cutOffAt < (state.status === 'None' ? opening.openedAt : openSince(state))) {
    return rejected({
      code: 'CutOffPassed',
      message: `What moved before ${cutOffAt} was looked at already.`,
    });
  }
  const closing = (state.status === 'None' ? 0 : (state.closing?.number ?? 0)) + 1;
  const opened: BatchEvent[] =
    state.status === 'None' ? [{ type: 'BatchOpened', data: { at, ...opening } }] : [];
  return accepted([...opened, { type: 'BatchClosing', data: { at, closing, cutOffAt, cause } }], undefined);
}

/** What belongs to this closing is all taken or passed over, and these are the sums of what was taken. */
export function completeClosing(
  state: BatchState,
  { at, closing, totals }: { readonly at: string; readonly closing: number; readonly totals: BatchTotals },
): BatchDecision {
  const inHand = state.status === 'Closing' && state.closing?.number === closing;
  if (!inHand || !state.closing) return accepted([], undefined);
  const wrong = totalsError(totals);
  if (wrong !== undefined) return rejected({ code: 'WrongTotals', message: wrong });
  if (totals.transactionCount === 0) {
    return accepted([{ type: 'BatchStayedOpen', data: { at, closing } }], undefined);
  }
  const { cutOffAt } = state.closing;
  return accepted([{ type: 'BatchClosed', data: { at, closing, cutOffAt, ...totals } }], undefined);
}

/** What moved before this instant was looked at already: by the batch before, or by a closing that left this one open. */
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
