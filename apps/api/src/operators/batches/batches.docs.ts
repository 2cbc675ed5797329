import { ErrorCode, type Batch, type BatchClosing, type BatchStatus } from '@tillstream/contracts';
import { answer, type EndpointTexts } from '../../openapi/endpoint.js';
import { idParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../../openapi/samples.js';
import { CURRENCY } from '../../payment-methods/payment-method.responses.js';
import { MERCHANT_ID } from '../merchants/merchants.docs.js';

/** `docs/spec/settlement.md#batches` and `docs/spec/operators.md#batches`. */
const BATCH = s.shape<Batch>()(
  'Batch',
  'A merchant’s captured and refunded operations of one currency, from one cut-off to the next.',
  {
    id: s.id('Names the batch.', SAMPLE.batch),
    merchantId: s.id('The merchant of the batch.', SAMPLE.merchant),
    currency: CURRENCY,
    status: s.choice<BatchStatus>('The state of the batch.', {
      Open: 'New operations are added to it.',
      Closing: 'Its operations are being assigned to it.',
      Closed: 'Its operations no longer change.',
    }),
    transactionCount: s.count(
      'The operations in it; of a batch that is not closed, those that wait for it now.',
      12,
    ),
    amount: s.integer('Their sum in cents; refunds and returns are subtracted.', 15_400),
    openedAt: s.time('When it was opened.'),
    closedAt: s.optional(s.time('Its cut-off, even if the service closed it later.')),
  },
);

const BATCH_CLOSING = s.shape<BatchClosing>()('BatchClosing', 'The batches that were closed.', {
  data: s.listOf(BATCH, 'One batch for each currency; an empty batch stays open.'),
});

const rejections = { 404: [ErrorCode.ResourceNotFound] };
const batch: Batch = {
  id: SAMPLE.batch,
  merchantId: SAMPLE.merchant,
  currency: 'USD',
  status: 'Closed',
  transactionCount: 12,
  amount: 15_400,
  openedAt: SAMPLE_TIME,
  closedAt: SAMPLE_TIME,
};

export const BATCH_ENDPOINTS: EndpointTexts = {
  closeBatches: {
    summary: 'Close the batches of a merchant now',
    description:
      'Closes them before their cut-off. Operations of a closed batch can be refunded, but not voided. The response waits ' +
      'up to 5 s; a batch that takes longer is `Closing` in it.',
    path: { id: MERCHANT_ID },
    examples: {
      all: ['All currencies', {}],
      one: ['One currency', { currency: 'USD' }],
    },
    rejections,
    response: answer('The closed batches.', BATCH_CLOSING, { data: [batch] }),
  },
  getBatch: {
    summary: 'Look a batch up',
    description: 'Once it is `Closed`, each of its operations has its `batchId`.',
    path: { id: idParameter('The batch.', SAMPLE.batch) },
    rejections,
    response: answer('The batch.', BATCH, batch),
  },
};
