import {
  BATCH_CATEGORY,
  batchCodec,
  batchIdOfStream,
  evolveBatch,
  noBatch,
  type BatchState,
} from '@tillstream/domain';
import { checkKnown, decoded, oneRow, type RowSource } from './row.source.js';

/** Batches in `batches`; those that are being closed wait in its queue. */
export const batchRows: RowSource<BatchState> = {
  category: BATCH_CATEGORY,
  initial: noBatch,
  check: (recorded) => checkKnown(batchCodec, recorded),
  evolve: (state, recorded) => evolveBatch(state, decoded(batchCodec, recorded)),
  contributions: {
    batches: {
      touched: (stream, events) => oneRow(batchIdOfStream(stream), events),
      row(state, _id, revision) {
        if (state.status === 'None') return undefined;
        const { id, merchantId, currency, number, status, openedAt, closing, totals } = state;
        return [
          id,
          revision,
          merchantId,
          currency,
          status,
          Date.parse(openedAt),
          JSON.stringify({
            ...{ id, number, openedAt },
            ...(closing && { cutOffAt: closing.cutOffAt }),
            ...(totals && { transactionCount: totals.transactionCount, amount: totals.amount }),
          }),
          status === 'Closing' && closing ? Date.parse(closing.at) : null,
        ];
      },
    },
  },
};
