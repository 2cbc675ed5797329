import type {
  ProcessorState,
  Projection,
  ProjectionState,
  ResolutionOutcome,
  ResolutionProposal,
  TransactionType,
  UnknownOutcome,
  UnknownOutcomeAnswer,
  UnknownOutcomeState,
} from '@tillstream/contracts';
import { as, choice, id, inline, integer, optional, pageOf, shape, text, time } from '../answer.schema.js';
import { SAMPLE } from '../samples.js';
import { CURRENCY } from './payment-method.answers.js';
import { TRANSACTION_RESULT } from './transaction.answers.js';

/* What operators look after (`docs/spec/unknown-outcomes.md#operators`). */

export const RESOLUTION_OUTCOMES: Readonly<Record<ResolutionOutcome, string>> = {
  Approved: 'It happened.',
  Declined: 'It was declined.',
  NotReceived: 'The processor never got it.',
};

const PROPOSAL = shape<ResolutionProposal>()('ResolutionProposal', 'What one operator said.', {
  outcome: choice('What became of it.', RESOLUTION_OUTCOMES),
  reason: text('How the operator knows.', 'told by the processor on the phone'),
  authCode: optional(text('Of an approval.', '004242')),
  proposedBy: text('Who said it.', 'Dana Field'),
  proposedAt: time('When.'),
});

const unknownFields = {
  transactionId: id('The operation.', SAMPLE.sale),
  merchantId: id('Whose it is.', SAMPLE.merchant),
  type: choice<TransactionType | 'Reversal'>('Which operation it is.', {
    Sale: '',
    Auth: '',
    Capture: '',
    Refund: '',
    Void: '',
    UnreferencedRefund: '',
    TokenCreate: '',
    TokenUpdate: '',
    TokenRemove: '',
    Reversal: 'One of the service’s own, which no merchant’s list shows.',
  }),
  amount: optional(integer('In cents; absent on an operation on a stored card.', 1250, { minimum: 0 })),
  currency: CURRENCY,
  since: time('Since when nobody knows.'),
  inquiries: integer('How often the processor was asked.', 3, { minimum: 0 }),
  nextInquiryAt: optional(time('When it is asked next; absent: it waits for an operator.')),
  proposal: optional(as(PROPOSAL, 'What one operator said, and a second one has to confirm.')),
};

export const UNKNOWN_OUTCOME_PAGE = pageOf(
  'UnknownOutcomePage',
  shape<UnknownOutcome>()('UnknownOutcome', 'An operation whose outcome nobody knows.', unknownFields),
);

export const UNKNOWN_OUTCOME_ANSWER = shape<UnknownOutcomeAnswer>()(
  'UnknownOutcomeAnswer',
  'What came of an inquiry, or of an operator’s word.',
  {
    ...unknownFields,
    state: choice<UnknownOutcomeState>('Where it stands now.', {
      Unknown: 'The inquiry did not tell.',
      AwaitingConfirmation:
        'Nothing was done yet: another operator, with a key of their own, has to say the same.',
      Known: 'It has its outcome.',
    }),
    transaction: optional(as(TRANSACTION_RESULT, 'As its merchant sees it now.')),
  },
);

export const PROJECTION = shape<Projection>()('Projection', 'A list that is made from the events.', {
  name: text('Names the list.', 'transactions'),
  status: choice<ProjectionState>('What it is doing.', {
    Live: 'It follows the events.',
    Rebuilding: 'It is made anew beside the one that answers.',
    Halted: 'It met an event that it does not know; `reason` says more.',
  }),
  reason: optional(text('Why it halted.', 'unknown event type')),
  position: optional(text('Of the last event handled; opaque.', '4711')),
  lagEvents: integer('Events that it has not handled yet; 1000 stands for that or more.', 0, { minimum: 0 }),
  updatedAt: time('When it last moved on.'),
});

export const PROCESSOR = shape<ProcessorState>()('Processor', 'Who moves the money.', {
  name: text('Names it.', 'sandbox'),
  state: choice<ProcessorState['state']>('Of this instance’s circuit breaker.', {
    Closed: 'Everything goes through.',
    Open: 'It did not answer: nothing new is sent for a while.',
    HalfOpen: 'One call at a time is sent, to see whether it answers again.',
  }),
  stopped: optional(
    inline<NonNullable<ProcessorState['stopped']>>('There where an operator stopped it, on all instances.', {
      by: text('Who did.', 'Dana Field'),
      reason: text('Why.', 'maintenance at the processor'),
      since: time('Since when.'),
    }),
  ),
});

export const PROCESSOR_PAGE = pageOf('ProcessorPage', PROCESSOR);

export const PROJECTION_PAGE = pageOf('ProjectionPage', PROJECTION);
