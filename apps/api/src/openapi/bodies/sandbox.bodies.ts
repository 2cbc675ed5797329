import { CustomerActDto, MoveClockDto, TerminalSettingsDto } from '../../sandbox/sandbox.dto.js';
import { requestSchema } from '../request.schema.js';
import { SAMPLE_TIME } from '../samples.js';

/* What a sandbox does on command (`docs/spec/sandbox.md`). */

export const TERMINAL_SETTINGS = requestSchema(
  TerminalSettingsDto,
  'TerminalSettings',
  'How a simulated terminal behaves from now on.',
  {
    mode: {
      description:
        '`Auto` answers by the card and the amount; `Manual` waits for the customer; `Offline`, `LowBattery` and ' +
        '`LostLink` fail in their way.',
      default: 'Auto',
      example: 'LowBattery',
    },
    card: {
      description:
        'Number of a test card, or `GIFT`, `CASH`, `EBT`, `DEBIT`, `OTHER`, `UNKNOWN`. Left out: 4242424242424242.',
      example: '5555555555554444',
    },
  },
);

export const CUSTOMER_ACT = requestSchema(
  CustomerActDto,
  'CustomerAct',
  'What the customer does at a terminal in mode `Manual`.',
  {
    action: { description: '`Tap`, `Insert`, `Swipe`, `Pin` or `Cancel`.', example: 'Tap' },
    card: {
      description: 'Which card, with `Tap`, `Insert` and `Swipe`. Left out: the terminal’s.',
      example: '5555555555554444',
    },
    pin: { description: 'With `Pin`; 1234 is right.', example: '1234' },
  },
);

export const MOVE_CLOCK = requestSchema(
  MoveClockDto,
  'MoveClock',
  'Forward by seconds or to a time; exactly one of the two.',
  {
    advanceSeconds: { description: 'By how much.', example: 3600 },
    to: { description: 'To when; later than now.', example: SAMPLE_TIME },
    settle: {
      description: 'Answer only when all work that fell due was done, or after 30 s.',
      default: true,
      example: true,
    },
  },
);
