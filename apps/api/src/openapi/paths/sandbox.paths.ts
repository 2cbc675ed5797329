import { ErrorCode } from '@tillstream/contracts';
import { SandboxClockController } from '../../sandbox/clock.controller.js';
import { SandboxTerminalsController } from '../../sandbox/terminals.controller.js';
import { CLOCK_MOVED, CLOCK_READING, SANDBOX_TERMINAL } from '../answers/service.answers.js';
import { CUSTOMER_ACT, MOVE_CLOCK, TERMINAL_SETTINGS } from '../bodies/sandbox.bodies.js';
import { pathsOf } from '../operation.text.js';
import { pathParameter } from '../parameters.js';
import { SAMPLE, SAMPLE_TIME } from '../samples.js';

const TAG = 'Sandbox';

export const SANDBOX_CLOCK_PATHS = pathsOf(SandboxClockController, TAG, {
  reading: {
    operationId: 'getSandboxClock',
    summary: 'Read the service’s clock',
    description: 'It rules what takes days: expiry, the bank, funding. Deadlines and limits go by real time.',
    answer: {
      description: 'The clock.',
      schema: CLOCK_READING,
      example: { now: SAMPLE_TIME, offsetSeconds: 0 },
    },
  },
  move: {
    operationId: 'moveSandboxClock',
    summary: 'Move the service’s clock forward',
    description: 'Never back. What falls due meanwhile is done before the answer, unless `settle` is false.',
    body: {
      schema: MOVE_CLOCK,
      examples: {
        seconds: { summary: 'An hour', value: { advanceSeconds: 3600 } },
        withoutWaiting: { summary: 'A minute, at once', value: { advanceSeconds: 60, settle: false } },
      },
    },
    answer: {
      description: 'The clock.',
      schema: CLOCK_MOVED,
      example: { now: SAMPLE_TIME, offsetSeconds: 3600, ran: 2, pending: 0 },
    },
  },
});

const id = pathParameter('The terminal: the id of its payment method.', {}, SAMPLE.terminal);
const refusals = { 404: [ErrorCode.PaymentMethodNotFound] };
const answer = {
  description: 'The terminal.',
  schema: SANDBOX_TERMINAL,
  example: { id: SAMPLE.terminal, mode: 'Auto', card: null, waiting: null },
};

export const SANDBOX_TERMINALS_PATHS = pathsOf(SandboxTerminalsController, TAG, {
  one: {
    operationId: 'getSandboxTerminal',
    summary: 'Look at a simulated terminal',
    description: 'Its setting, and what waits for the customer.',
    path: { id },
    refusals,
    answer,
  },
  set: {
    operationId: 'setSandboxTerminal',
    summary: 'Set a simulated terminal',
    description: 'What is left out goes back to its default.',
    path: { id },
    body: {
      schema: TERMINAL_SETTINGS,
      mayBeEmpty: true,
      examples: {
        lowBattery: { summary: 'An empty battery', value: { mode: 'LowBattery' } },
        card: { summary: 'Another card', value: { mode: 'Auto', card: '5555555555554444' } },
        usual: { summary: 'As it was', value: {} },
      },
    },
    refusals,
    answer,
  },
  customer: {
    operationId: 'actAsCustomer',
    summary: 'Do what the customer does',
    description: 'At a terminal in mode `Manual` where a transaction waits; nobody waiting is 409, 3400.',
    path: {
      id: pathParameter('The terminal: the id of its payment method.', {}, SAMPLE.waitingTerminal),
    },
    body: {
      schema: CUSTOMER_ACT,
      examples: {
        tap: { summary: 'Tap a card', value: { action: 'Tap' } },
        cancel: { summary: 'Walk away', value: { action: 'Cancel' } },
      },
    },
    refusals: { ...refusals, 409: [ErrorCode.ResourceNotReadyError] },
    answer,
  },
});
