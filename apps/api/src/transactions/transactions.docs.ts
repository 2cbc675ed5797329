import { ErrorCode, type ActorType, type HistoryItem } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { idParameter, type FilterTexts } from '../openapi/parameters.js';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME, SAMPLE_TRACE_ID } from '../openapi/samples.js';
import { TRANSACTION_PAGE, TRANSACTION_RESULT } from './transaction.responses.js';
import { sampleTransaction } from './transaction.samples.js';

/** One recorded event (`docs/spec/transactions.md#history`). */
const HISTORY_ITEM = s.shape<HistoryItem>()('HistoryItem', 'One event of a payment or stored card.', {
  sequence: s.count('Its number in that history, from 0, without gaps.', 0),
  type: s.text('The type of the event.', 'SaleRequested'),
  timestamp: s.time('When it happened.'),
  actor: s.inline<HistoryItem['actor']>('The actor.', {
    type: s.choice<ActorType>('The kind of actor.', {
      ApiKey: 'The software of a merchant.',
      Customer: 'The person who pays.',
      Operator: 'An operator of the service.',
      System: 'The service itself.',
    }),
    name: s.text('The name of a key, of a person, or of a part of the service.', 'Demo'),
  }),
  reason: s.optional(s.text('The reason, if one was given.', 'confirmed by the issuer by phone')),
  traceId: s.optional(s.text('The trace id of the request.', SAMPLE_TRACE_ID, { pattern: '^[0-9a-f]{32}$' })),
  data: s.anyFields('The recorded data; its fields depend on `type`.', {
    transactionId: SAMPLE.sale,
    amount: 1250,
    currency: 'USD',
  }),
});

const HISTORY_PAGE = s.pageOf('HistoryPage', HISTORY_ITEM);

const id = idParameter('The transaction.', SAMPLE.sale);
const unknown = { 404: [ErrorCode.ResourceNotFound] };

const FILTERS: FilterTexts = {
  id: { description: 'The transaction with this id.', example: SAMPLE.sale },
  referenceId: { description: 'Your reference, or the one that the service made.', example: 'order-1001' },
  originalTransactionId: { description: 'Captures, refunds and voids of this one.', example: SAMPLE.sale },
  type: { description: 'The type of the operation.', example: 'Sale' },
  status: { description: 'The state of the operation.', example: 'Completed' },
  responseCode: { description: 'The response code of the outcome, `transactionResponses[0]`.', example: 1 },
  paymentMethodId: {
    description: 'The payment method; of captures, refunds and voids that of the original.',
    example: SAMPLE.terminal,
  },
  accountHolderId: { description: 'The account holder of the stored card.', example: SAMPLE.holder },
  invoiceNumber: { description: 'As you sent it.', example: 'A1001' },
  orderNumber: { description: 'As you sent it.', example: 'O77' },
  cardType: { description: 'The card type of the outcome.', example: 'VISA' },
  currency: { description: 'ISO 4217.', example: 'USD' },
  amountMin: { description: 'At least this amount.', example: 1000 },
  amountMax: { description: 'At most this amount.', example: 2000 },
  createdFrom: { description: 'Requested at this time or later.', example: SAMPLE_TIME },
  createdTo: { description: 'Requested before this time.', example: '2099-01-01T00:00:00Z' },
  updatedFrom: { description: 'Last changed at this time or later.', example: SAMPLE_TIME },
  updatedTo: { description: 'Last changed before this time.', example: '2099-01-01T00:00:00Z' },
  batchId: { description: 'In this batch.', example: SAMPLE.batch },
  settlementId: { description: 'In this settlement.', example: 'stl_01K4Q2B5C7D9E1F3G5H7J9K1MN' },
};

export const TRANSACTION_ENDPOINTS: EndpointTexts = {
  listTransactions: {
    summary: 'List transactions',
    description:
      'All operations on payments and stored cards. An operation is in the list when its request gets a response: use the ' +
      'list after a broken connection, a missed webhook or the status `Interrupted`.',
    filters: FILTERS,
    response: pageResponse(TRANSACTION_PAGE, sampleTransaction()),
  },
  getTransaction: {
    summary: 'Look a transaction up',
    description: 'The current state, in the shape of the response to the operation.',
    path: { id },
    rejections: unknown,
    response: answer('The transaction.', TRANSACTION_RESULT, sampleTransaction()),
  },
  listTransactionEvents: {
    summary: 'Read the history of a payment',
    description:
      'Every event of the payment or stored card of the transaction, oldest first, with its actor.',
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
      'A page of the history.',
    ),
  },
};
