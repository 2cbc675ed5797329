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
  offsetSeconds: s.decimal('Seconds that it is ahead of real time.', 691_200, { minimum: 0 }),
};

const CLOCK_READING = s.shape<SandboxClockReading>()('SandboxClockReading', 'The service’s clock.', clock);

const CLOCK_MOVED = s.shape<SandboxClockMoved>()('SandboxClockMoved', 'The clock after it was moved.', {
  ...clock,
  ran: s.count('Work items that became due and are done.', 2),
  pending: s.count('Work items that are due and not done.', 0),
});

const SANDBOX_TERMINAL = s.shape<SandboxTerminal>()('SandboxTerminal', 'A simulated terminal.', {
  id: s.text('The id of its payment method.', SAMPLE.terminal),
  mode: s.text('The mode of the terminal.', 'Auto'),
  card: s.nullableText('The card that the customer presents; null: the default card.', '4242424242424242'),
  waiting: s.nullable(
    s.inline<NonNullable<SandboxTerminal['waiting']>>('The transaction that waits for the customer.', {
      transactionId: s.text('The transaction.', SAMPLE.sale),
      amount: s.integer('In the smallest unit of the currency.', 1250),
      currency: s.text('ISO 4217.', 'USD'),
    }),
    'The transaction that waits for the customer; null if none does.',
  ),
});

export const SANDBOX_CLOCK_ENDPOINTS: EndpointTexts = {
  getSandboxClock: {
    summary: 'Read the service’s clock',
    description:
      'Expiry, bank transfers and funding follow this clock. Deadlines and rate limits follow real time.',
    response: answer('The clock.', CLOCK_READING, { now: SAMPLE_TIME, offsetSeconds: 0 }),
  },
  moveSandboxClock: {
    summary: 'Move the service’s clock forward',
    description:
      'The clock can not go back. The service does the work that becomes due before it responds, unless `settle` is false.',
    examples: {
      seconds: ['An hour', { advanceSeconds: 3600 }],
      withoutWaiting: ['A minute, without waiting for the work', { advanceSeconds: 60, settle: false }],
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
    description: 'Its settings, and the transaction that waits for the customer.',
    path: { id },
    rejections,
    response,
  },
  setSandboxTerminal: {
    summary: 'Set a simulated terminal',
    description: 'A field that is left out gets its default value.',
    path: { id },
    examples: {
      lowBattery: ['An empty battery', { mode: 'LowBattery' }],
      card: ['Another card', { mode: 'Auto', card: '5555555555554444' }],
      usual: ['The defaults', {}],
    },
    rejections,
    response,
  },
  actAsCustomer: {
    summary: 'Act as the customer',
    description: 'At a terminal in mode `Manual` where a transaction waits for the customer; else 409, 3400.',
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
