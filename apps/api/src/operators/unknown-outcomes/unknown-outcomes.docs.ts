import {
  ErrorCode,
  type ResolutionOutcome,
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

const RESOLUTION_OUTCOMES: Readonly<Record<ResolutionOutcome, string>> = {
  Approved: 'It happened.',
  Declined: 'It was declined.',
  NotReceived: 'The processor never got it.',
};

const PROPOSAL = s.shape<ResolutionProposal>()('ResolutionProposal', 'What one operator said.', {
  outcome: s.choice('What became of it.', RESOLUTION_OUTCOMES),
  reason: s.text('How the operator knows.', 'told by the processor on the phone'),
  authCode: s.optional(s.text('Of an approval.', '004242')),
  proposedBy: s.text('Who said it.', 'Dana Field'),
  proposedAt: s.time('When.'),
});

const unknownFields = {
  transactionId: s.id('The operation.', SAMPLE.sale),
  merchantId: s.id('Whose it is.', SAMPLE.merchant),
  type: s.choice<TransactionType | 'Reversal'>('Which operation it is.', {
    ...TRANSACTION_TYPES,
    Reversal: 'One of the service’s own, which no merchant’s list shows.',
  }),
  amount: s.optional(s.integer('In cents; absent on an operation on a stored card.', 1250, { minimum: 0 })),
  currency: CURRENCY,
  since: s.time('Since when the outcome is unknown.'),
  inquiries: s.integer('The number of inquiries to the processor.', 3, { minimum: 0 }),
  nextInquiryAt: s.optional(
    s.time('The time of the next inquiry; absent: the operation waits for an operator.'),
  ),
  proposal: s.optional(s.as(PROPOSAL, 'What one operator said, and a second one has to confirm.')),
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
    state: s.choice<UnknownOutcomeState>('Where it stands now.', {
      Unknown: 'The inquiry found no outcome.',
      AwaitingConfirmation:
        'Nothing was done yet: another operator, with a key of their own, has to say the same.',
      Known: 'It has its outcome.',
    }),
    transaction: s.optional(s.as(TRANSACTION_RESULT, 'As its merchant sees it now.')),
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
const outcomeAnswer = answer('Where it stands now.', UNKNOWN_OUTCOME_ANSWER, {
  ...unknownOutcome,
  state: 'Known',
  transaction: sampleTransaction({ id: SAMPLE.unknown }),
});
const rejections = { 400: [ErrorCode.InvalidTransactionType], 404: [ErrorCode.ResourceNotFound] };

export const UNKNOWN_OUTCOME_ENDPOINTS: EndpointTexts = {
  listUnknownOutcomes: {
    summary: 'List operations whose outcome is unknown',
    description: 'The longest unknown first, including those that only an operator can resolve.',
    filters: {
      merchantId: { description: 'Of this merchant.', example: SAMPLE.merchant },
    },
    response: pageResponse(UNKNOWN_OUTCOME_PAGE, { ...unknownOutcome, nextInquiryAt: SAMPLE_TIME }),
  },
  inquireNow: {
    summary: 'Ask the processor now',
    description: 'Not before the first inquiry is due: until then the answer may still come (409, 3401).',
    path: { transactionId: operation },
    rejections,
    response: outcomeAnswer,
  },
  resolveUnknownOutcome: {
    summary: 'Say what became of it',
    description:
      'For what the processor can’t tell by itself. In live mode a second operator, with a key of their own, confirms ' +
      'amounts above a configured one.',
    path: { transactionId: operation },
    examples: {
      approved: [
        'It happened',
        { outcome: 'Approved', reason: 'told by the processor on the phone', authCode: '004242' },
      ],
      notReceived: [
        'It did not',
        { outcome: 'NotReceived', reason: 'not in the processor’s report of that day' },
      ],
    },
    rejections,
    response: outcomeAnswer,
  },
};
