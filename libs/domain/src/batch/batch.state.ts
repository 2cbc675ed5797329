import type { Currency } from '../shared/codes.js';
import type { BatchClosing, BatchEvent, BatchTotals } from './batch.events.js';

export type BatchState = NoBatch | Batch;

export interface NoBatch {
  readonly status: 'None';
}

export interface Batch {
  readonly status: 'Open' | 'Closing' | 'Closed';
  readonly id: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly number: number;
  readonly openedAt: string;
  /** The last one: in hand, or over. Absent while nobody ever closed it. */
  readonly closing?: Closing;
  /** Once it is closed. */
  readonly totals?: BatchTotals;
}

export interface Closing extends Pick<BatchClosing, 'cutOffAt' | 'cause'> {
  readonly number: number;
  /** When it was begun. */
  readonly at: string;
}

export const noBatch: NoBatch = { status: 'None' };

export function foldBatch(events: Iterable<BatchEvent>, from: BatchState = noBatch): BatchState {
  let state = from;
  for (const event of events) state = evolveBatch(state, event);
  return state;
}

/** Throws on a history that no decision could have made. */
export function evolveBatch(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchOpened') {
    if (state.status !== 'None') throw new Error('a batch is opened once');
    const { batchId: id, merchantId, currency, number, openedAt } = event.data;
    return { status: 'Open', id, merchantId, currency, number, openedAt };
  }
  if (state.status === 'None') throw new Error(`${event.type} of a batch that was never opened`);
  if (event.type === 'BatchClosing') {
    if (state.status !== 'Open') throw new Error(`a batch that is ${state.status} is not closed again`);
    const { at, closing: number, cutOffAt, cause } = event.data;
    return { ...state, status: 'Closing', closing: { number, at, cutOffAt, cause } };
  }
  if (state.status !== 'Closing' || state.closing?.number !== event.data.closing) {
    throw new Error(`${event.type} of closing ${event.data.closing}, which is not in hand`);
  }
  if (event.type === 'BatchStayedOpen') return { ...state, status: 'Open' };
  const { transactionCount, amount, card, bank } = event.data;
  return { ...state, status: 'Closed', totals: { transactionCount, amount, card, bank } };
}
