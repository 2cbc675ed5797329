import {
  ErrorCode,
  type ResolutionProposal,
  type TransactionType,
  type UnknownOutcome,
  type UnknownOutcomeAnswer,
  type UnknownOutcomeState,
} from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { idParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../../openapi/samples.js';
import { CURRENCY } from '../../payment-methods/payment-method.responses.js';
import { TRANSACTION_RESULT, TRANSACTION_TYPES } from '../../transactions/transaction.responses.js';
import { sampleTransaction } from '../../transactions/transaction.samples.js';

/* `docs/spec/unknown-outcomes.md#operators`. */

const RESOLUTION_OUTCOMES: Readonly<Record<ResolutionProposal['outcome'], string>> = {
  Approved: 'The processor executed the operation.',
  Declined: 'The processor declined it.',
  NotReceived: 'The processor never received it.',
};

const PROPOSAL = s.shape<ResolutionProposal>()(
  'ResolutionProposal',
  'The resolution that one operator proposed.',
  {
    outcome: s.choice('The outcome.', RESOLUTION_OUTCOMES),
    reason: s.text('How the operator knows the outcome.', 'confirmed by the processor by phone'),
    authCode: s.optional(s.text('The authorization code of an approval.', '004242')),
    proposedBy: s.text('The operator.', 'Dana Field'),
    proposedAt: s.time('The time of the proposal.'),
  },
);

const unknownFields = {
  transactionId: s.id('The operation.', SAMPLE.sale),
  merchantId: s.id('The merchant.', SAMPLE.merchant),
  type: s.choice<TransactionType | 'Reversal'>('Which operation it is.', {
    ...TRANSACTION_TYPES,
    Reversal: 'An operation of the service itself, which no merchant’s list shows.',
  }),
  amount: s.optional(s.count('In cents; absent on an operation on a stored card.', 1250)),
  currency: CURRENCY,
  since: s.time('Since when the outcome is unknown.'),
  inquiries: s.count('The number of inquiries to the processor.', 3),
  nextInquiryAt: s.optional(
    s.time('The time of the next inquiry; absent: the operation waits for an operator.'),
  ),
  proposal: s.optional(
    s.as(PROPOSAL, 'The resolution that one operator proposed and a second has to confirm.'),
  ),
};

const UNKNOWN_OUTCOME_PAGE = s.pageOf(
  'UnknownOutcomePage',
  s.shape<UnknownOutcome>()('UnknownOutcome', 'An operation whose outcome is unknown.', unknownFields),
);

const UNKNOWN_OUTCOME_ANSWER = s.shape<UnknownOutcomeAnswer>()(
  'UnknownOutcomeAnswer',
  'The result of an inquiry or of a manual resolution.',
  {
    ...unknownFields,
    state: s.choice<UnknownOutcomeState>('The state of the operation.', {
      Unknown: 'The inquiry found no outcome.',
      AwaitingConfirmation:
        'Nothing was recorded as the outcome yet: another operator, with a key of their own, has to send the same resolution.',
      Known: 'The outcome is known.',
    }),
    transaction: s.optional(s.as(TRANSACTION_RESULT, 'The transaction as its merchant sees it.')),
  },
);

const operation = idParameter('The operation.', SAMPLE.unknown);
const unknownOutcome = {
  transactionId: SAMPLE.unknown,
  merchantId: SAMPLE.merchant,
  type: 'Sale',
  amount: 1250,
  currency: 'USD',
  since: SAMPLE_TIME,
  inquiries: 3,
};
const outcomeAnswer = answer('The state of the operation.', UNKNOWN_OUTCOME_ANSWER, {
  ...unknownOutcome,
  state: 'Known',
  transaction: sampleTransaction({ id: SAMPLE.unknown }),
});
const rejections = { 400: [ErrorCode.InvalidTransactionType], 404: [ErrorCode.ResourceNotFound] };

export const UNKNOWN_OUTCOME_ENDPOINTS: EndpointTexts = {
  listUnknownOutcomes: {
    summary: 'List operations whose outcome is unknown',
    description:
      'Sorted by the time since when the outcome is unknown, the longest first. Includes operations that only an operator can resolve.',
    filters: {
      merchantId: { description: 'The merchant.', example: SAMPLE.merchant },
    },
    response: pageResponse(UNKNOWN_OUTCOME_PAGE, { ...unknownOutcome, nextInquiryAt: SAMPLE_TIME }),
  },
  inquireNow: {
    summary: 'Send an inquiry to the processor now',
    description:
      'Refused before the first inquiry is due (409, 3401), because the response to the attempt may still arrive.',
    path: { transactionId: operation },
    rejections,
    response: outcomeAnswer,
  },
  resolveUnknownOutcome: {
    summary: 'Resolve an unknown outcome',
    description:
      'For outcomes that no inquiry can find out. In live mode a second operator, with a key of their own, has to confirm ' +
      'the resolution of an amount above the configured limit.',
    path: { transactionId: operation },
    examples: {
      approved: [
        'It was approved',
        { outcome: 'Approved', reason: 'confirmed by the processor by phone', authCode: '004242' },
      ],
      notReceived: [
        'The processor never received it',
        { outcome: 'NotReceived', reason: 'not in the processor’s report of that day' },
      ],
    },
    rejections,
    response: outcomeAnswer,
  },
};
