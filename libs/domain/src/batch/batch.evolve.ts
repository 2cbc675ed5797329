import { foldOf } from '../shared/fold.js';
import { ImpossibleHistory } from '../shared/impossible-history.js';
import type { BatchEvent } from './batch.events.js';
import { noBatch, type BatchState } from './batch.state.js';

export const foldBatch = foldOf<BatchState, BatchEvent>(evolveBatch, noBatch);

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveBatch(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchOpened') {
    if (state.status !== 'None') throw new ImpossibleHistory('a batch is opened once');
    const { batchId: id, merchantId, currency, number, openedAt } = event.data;
    return { status: 'Open', id, merchantId, currency, number, openedAt };
  }
  if (state.status === 'None') throw new ImpossibleHistory(`${event.type} of a batch that was never opened`);
  if (event.type === 'BatchClosing') {
    if (state.status !== 'Open')
      throw new ImpossibleHistory(`a batch that is ${state.status} can not start closing`);
    const { at, closing: number, cutOffAt, cause } = event.data;
    return { ...state, status: 'Closing', closing: { number, at, cutOffAt, cause } };
  }
  if (state.status !== 'Closing' || state.closing?.number !== event.data.closing) {
    throw new ImpossibleHistory(`${event.type} of closing ${event.data.closing}, which is not running`);
  }
  if (event.type === 'BatchStayedOpen') return { ...state, status: 'Open' };
  const { transactionCount, amount, card, bank } = event.data;
  return { ...state, status: 'Closed', totals: { transactionCount, amount, card, bank } };
}
