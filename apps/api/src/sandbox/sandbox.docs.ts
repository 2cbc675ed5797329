import {
  ErrorCode,
  type SandboxClockMoved,
  type SandboxClockReading,
  type SandboxTerminal,
} from '@tillstream/contracts';
import { answer, type EndpointTexts } from '../openapi/endpoint.js';
import { pathParameter } from '../openapi/parameters.js';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';

/* `docs/spec/sandbox.md`. */

const clock = {
  now: s.time('The service’s time.'),
  offsetSeconds: s.decimal('How far it is ahead of real time.', 691_200, { minimum: 0 }),
};

const CLOCK_READING = s.shape<SandboxClockReading>()('SandboxClockReading', 'The service’s clock.', clock);

const CLOCK_MOVED = s.shape<SandboxClockMoved>()('SandboxClockMoved', 'The clock after it was moved.', {
  ...clock,
  ran: s.integer('How much work that fell due was done.', 2, { minimum: 0 }),
  pending: s.integer('How much of it is left.', 0, { minimum: 0 }),
});

const SANDBOX_TERMINAL = s.shape<SandboxTerminal>()('SandboxTerminal', 'A simulated terminal.', {
  id: s.text('Its payment method’s.', SAMPLE.terminal),
  mode: s.text('How it behaves.', 'Auto'),
  card: s.nullableText('The card that is shown to it; null: the default one.', '4242424242424242'),
  waiting: s.nullable(
    s.inline<NonNullable<SandboxTerminal['waiting']>>('What the customer is asked for.', {
      transactionId: s.text('The transaction.', SAMPLE.sale),
      amount: s.integer('In the smallest unit of the currency.', 1250),
      currency: s.text('ISO 4217.', 'USD'),
    }),
    'What waits for the customer; null where nothing does.',
  ),
});

export const SANDBOX_CLOCK_ENDPOINTS: EndpointTexts = {
  getSandboxClock: {
    summary: 'Read the service’s clock',
    description: 'It rules what takes days: expiry, the bank, funding. Deadlines and limits go by real time.',
    response: answer('The clock.', CLOCK_READING, { now: SAMPLE_TIME, offsetSeconds: 0 }),
  },
  moveSandboxClock: {
    summary: 'Move the service’s clock forward',
    description:
      'Only forwards. Work that becomes due is done before the response, unless `settle` is false.',
    examples: {
      seconds: ['An hour', { advanceSeconds: 3600 }],
      withoutWaiting: ['A minute, at once', { advanceSeconds: 60, settle: false }],
    },
    response: answer('The clock.', CLOCK_MOVED, {
      now: SAMPLE_TIME,
      offsetSeconds: 3600,
      ran: 2,
      pending: 0,
    }),
  },
};

const id = pathParameter('The terminal: the id of its payment method.', {}, SAMPLE.terminal);
const rejections = { 404: [ErrorCode.PaymentMethodNotFound] };
const response = answer('The terminal.', SANDBOX_TERMINAL, {
  id: SAMPLE.terminal,
  mode: 'Auto',
  card: null,
  waiting: null,
});

export const SANDBOX_TERMINAL_ENDPOINTS: EndpointTexts = {
  getSandboxTerminal: {
    summary: 'Look at a simulated terminal',
    description: 'Its setting, and what waits for the customer.',
    path: { id },
    rejections,
    response,
  },
  setSandboxTerminal: {
    summary: 'Set a simulated terminal',
    description: 'What is left out goes back to its default.',
    path: { id },
    examples: {
      lowBattery: ['An empty battery', { mode: 'LowBattery' }],
      card: ['Another card', { mode: 'Auto', card: '5555555555554444' }],
      usual: ['As it was', {}],
    },
    rejections,
    response,
  },
  actAsCustomer: {
    summary: 'Do what the customer does',
    description:
      'At a terminal in mode `Manual` where a transaction waits; without a waiting customer 409, 3400.',
    path: {
      id: pathParameter('The terminal: the id of its payment method.', {}, SAMPLE.waitingTerminal),
    },
    examples: {
      tap: ['Tap a card', { action: 'Tap' }],
      cancel: ['Walk away', { action: 'Cancel' }],
    },
    rejections: { ...rejections, 409: [ErrorCode.ResourceNotReadyError] },
    response,
  },
};
