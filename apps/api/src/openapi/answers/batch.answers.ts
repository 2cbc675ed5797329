import type { Batch, BatchClosing, BatchStatus } from '@tillstream/contracts';
import { choice, id, integer, list, optional, shape, time } from '../answer.schema.js';
import { SAMPLE } from '../samples.js';
import { CURRENCY } from './payment-method.answers.js';

/** `docs/spec/settlement.md#batches` and `docs/spec/operators.md#batches`. */
export const BATCH = shape<Batch>()(
  'Batch',
  'What a merchant took and gave back in one currency, from one cut-off to the next.',
  {
    id: id('Names the batch.', SAMPLE.batch),
    merchantId: id('Whose it is.', SAMPLE.merchant),
    currency: CURRENCY,
    status: choice<BatchStatus>('Where it stands.', {
      Open: 'It takes what is done.',
      Closing: 'Its operations are put into it.',
      Closed: 'Each of its operations is in it for good.',
    }),
    transactionCount: integer('Operations in it; of one that is not closed, what waits for it now.', 12, {
      minimum: 0,
    }),
    amount: integer('Their sum in cents; refunds and returns count against it.', 15_400),
    openedAt: time('When it was opened.'),
    closedAt: optional(time('Its cut-off, however late the work was done.')),
  },
);

export const BATCH_CLOSING = shape<BatchClosing>()('BatchClosing', 'The batches that were closed.', {
  data: list('One for each currency; an empty one stays open.', BATCH),
});
