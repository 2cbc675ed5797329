import { ErrorCode, type ActorType, type HistoryItem } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { idParameter, type FilterTexts } from '../openapi/parameters.js';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME, SAMPLE_TRACE_ID } from '../openapi/samples.js';
import { TRANSACTION_PAGE, TRANSACTION_RESULT } from './transaction.responses.js';
import { sampleTransaction } from './transaction.samples.js';

/** One recorded event (`docs/spec/transactions.md#history`). */
const HISTORY_ITEM = s.shape<HistoryItem>()(
  'HistoryItem',
  'One event of a payment or stored card, as it was recorded and never changed.',
  {
    sequence: s.integer('Its place in that history, from 0, without gaps.', 0, { minimum: 0 }),
    type: s.text('What happened.', 'SaleRequested'),
    timestamp: s.time('When it happened.'),
    actor: s.inline<HistoryItem['actor']>('Who did it.', {
      type: s.choice<ActorType>('What kind of actor.', {
        ApiKey: 'A merchant’s software.',
        Customer: 'The person who pays.',
        Operator: 'An operator of the service.',
        System: 'The service itself.',
      }),
      name: s.text('Its name: of a key, of a person, of a part of the service.', 'Demo'),
    }),
    reason: s.optional(s.text('The reason, if one was given.', 'told by the issuer on the phone')),
    traceId: s.optional(
      s.text('Of the request that did it.', SAMPLE_TRACE_ID, { pattern: '^[0-9a-f]{32}$' }),
    ),
    data: s.anyFields('What was recorded; its fields depend on `type`.', {
      transactionId: SAMPLE.sale,
      amount: 1250,
      currency: 'USD',
    }),
  },
);

const HISTORY_PAGE = s.pageOf('HistoryPage', HISTORY_ITEM);

const id = idParameter('The transaction.', SAMPLE.sale);
const unknown = { 404: [ErrorCode.ResourceNotFound] };

const FILTERS: FilterTexts = {
  id: { description: 'The transaction with this id.', example: SAMPLE.sale },
  referenceId: { description: 'Yours, or one that was made.', example: 'order-1001' },
  originalTransactionId: { description: 'Captures, refunds and voids of this one.', example: SAMPLE.sale },
  type: { description: 'Which operation.', example: 'Sale' },
  status: { description: 'Where it stands.', example: 'Completed' },
  responseCode: { description: 'Of the outcome, `transactionResponses[0]`.', example: 1 },
  paymentMethodId: {
    description: 'What it was paid with; of captures, refunds and voids the original’s.',
    example: SAMPLE.terminal,
  },
  accountHolderId: { description: 'The person behind the stored card.', example: SAMPLE.holder },
  invoiceNumber: { description: 'As it was sent.', example: 'A1001' },
  orderNumber: { description: 'As it was sent.', example: 'O77' },
  cardType: { description: 'Of the outcome.', example: 'VISA' },
  currency: { description: 'ISO 4217.', example: 'USD' },
  amountMin: { description: 'At least this amount.', example: 1000 },
  amountMax: { description: 'At most this amount.', example: 2000 },
  createdFrom: { description: 'Asked for at this time or later.', example: SAMPLE_TIME },
  createdTo: { description: 'Asked for before this time.', example: '2099-01-01T00:00:00Z' },
  updatedFrom: { description: 'Last changed at this time or later.', example: SAMPLE_TIME },
  updatedTo: { description: 'Last changed before this time.', example: '2099-01-01T00:00:00Z' },
  batchId: { description: 'In this batch.', example: SAMPLE.batch },
  settlementId: { description: 'In this settlement.', example: 'stl_01K4Q2B5C7D9E1F3G5H7J9K1MN' },
};

export const TRANSACTION_ENDPOINTS: EndpointTexts = {
  listTransactions: {
    summary: 'List transactions',
    description:
      'All operations on payments and stored cards, each from its request on. What this API answered for is listed at ' +
      'once: look here after a broken connection, a missed webhook or the status `Interrupted`.',
    filters: FILTERS,
    response: pageResponse(TRANSACTION_PAGE, sampleTransaction()),
  },
  getTransaction: {
    summary: 'Look a transaction up',
    description: 'What is known of it now, in the shape that the operation itself answered.',
    path: { id },
    rejections: unknown,
    response: answer('The transaction.', TRANSACTION_RESULT, sampleTransaction()),
  },
  listTransactionEvents: {
    summary: 'Read the history of a payment',
    description:
      'Every event of the payment or stored card that the transaction belongs to, oldest first, with who caused it.',
    path: { id },
    rejections: unknown,
    response: pageResponse(
      HISTORY_PAGE,
      {
        sequence: 0,
        type: 'SaleRequested',
        timestamp: SAMPLE_TIME,
        actor: { type: 'ApiKey', name: 'Demo' },
        traceId: SAMPLE_TRACE_ID,
        data: { transactionId: SAMPLE.sale, amount: 1250, currency: 'USD' },
      },
      'A page of it.',
    ),
  },
};
