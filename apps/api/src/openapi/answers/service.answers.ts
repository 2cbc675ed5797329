import type {
  HealthCheck,
  Liveness,
  Readiness,
  SandboxClockMoved,
  SandboxClockReading,
  SandboxTerminal,
} from '@tillstream/contracts';
import {
  choice,
  decimal,
  inline,
  integer,
  list,
  nullable,
  optional,
  shape,
  text,
  time,
} from '../answer.schema.js';
import { SAMPLE } from '../samples.js';

/* Health, and the sandbox (`docs/spec/sandbox.md`). */

export const LIVENESS = shape<Liveness>()('Liveness', 'The process answers.', {
  status: choice('Always this.', { live: '' }),
});

export const READINESS = shape<Readiness>()('Readiness', 'Whether payments can be taken now.', {
  status: choice('Whether it is.', { ready: 'Nothing is missing.', unavailable: '`reasons` says why.' }),
  reasons: list('Each thing that is missing.', text('One of them.', 'starting')),
  checks: list(
    'All that was looked at.',
    shape<HealthCheck>()('HealthCheck', 'One thing that was looked at.', {
      name: text('What.', 'stores'),
      state: choice('How it is.', {
        ok: 'Well.',
        warning: 'Somebody should look at it; requests are taken all the same.',
        failed: 'Not well enough to take requests.',
      }),
      reason: optional(text('Why it is not well.', 'processor sandbox does not answer')),
    }),
  ),
});

const clock = {
  now: time('The service’s time.'),
  offsetSeconds: decimal('How far it is ahead of real time.', 691_200, { minimum: 0 }),
};

export const CLOCK_READING = shape<SandboxClockReading>()(
  'SandboxClockReading',
  'The service’s clock.',
  clock,
);

export const CLOCK_MOVED = shape<SandboxClockMoved>()('SandboxClockMoved', 'The clock after it was moved.', {
  ...clock,
  ran: integer('How much work that fell due was done.', 2, { minimum: 0 }),
  pending: integer('How much of it is left.', 0, { minimum: 0 }),
});

export const SANDBOX_TERMINAL = shape<SandboxTerminal>()('SandboxTerminal', 'A simulated terminal.', {
  id: text('Its payment method’s.', SAMPLE.terminal),
  mode: text('How it behaves.', 'Auto'),
  card: {
    type: ['string', 'null'],
    description: 'The card that is shown to it; null: the default one.',
    examples: ['4242424242424242'],
  },
  waiting: nullable(
    inline<NonNullable<SandboxTerminal['waiting']>>('What the customer is asked for.', {
      transactionId: text('The transaction.', SAMPLE.sale),
      amount: integer('In the smallest unit of the currency.', 1250),
      currency: text('ISO 4217.', 'USD'),
    }),
    'What waits for the customer; null where nothing does.',
  ),
});
