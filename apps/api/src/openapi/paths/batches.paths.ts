import { ErrorCode, type Batch } from '@tillstream/contracts';
import { BatchesController } from '../../operators/batches/batches.controller.js';
import { BATCH, BATCH_CLOSING } from '../answers/batch.answers.js';
import { CLOSE_BATCHES } from '../bodies/batch.bodies.js';
import { pathsOf } from '../operation.text.js';
import { pathParameter } from '../parameters.js';
import { SAMPLE, SAMPLE_TIME, ULID } from '../samples.js';
import { MERCHANT_ID } from './merchants.paths.js';

const refusals = { 404: [ErrorCode.ResourceNotFound] };
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

export const BATCHES_PATHS = pathsOf(BatchesController, 'Batches', {
  close: {
    operationId: 'closeBatches',
    summary: 'Close the batches of a merchant now',
    description:
      'Before its cut-off. What is closed can be refunded, and voided no more. The answer waits some seconds for the ' +
      'work; a batch that takes longer is `Closing` in it.',
    path: { id: MERCHANT_ID },
    body: {
      schema: CLOSE_BATCHES,
      mayBeEmpty: true,
      examples: {
        all: { summary: 'Of every currency', value: {} },
        one: { summary: 'Of one', value: { currency: 'USD' } },
      },
    },
    refusals,
    answer: { description: 'What was closed.', schema: BATCH_CLOSING, example: { data: [batch] } },
  },
  one: {
    operationId: 'getBatch',
    summary: 'Look a batch up',
    description: 'Once it is `Closed`, each of its operations says that it is in it.',
    path: { id: pathParameter('The batch.', { pattern: `^bat_${ULID.pattern}$` }, SAMPLE.batch) },
    refusals,
    answer: { description: 'The batch.', schema: BATCH, example: batch },
  },
});
