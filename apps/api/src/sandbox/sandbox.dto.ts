import { CheckedBy } from '../validation/body.check.js';
import { field } from '../validation/field.rule.js';
import { ExactlyOneWith, Flag, isText, Text } from '../validation/field.decorators.js';
import { INSTANT_ALLOWED, isInstant } from '../validation/instant.js';
import { CustomerAct, TerminalSettings } from './sandbox.checks.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';
import { SAMPLE_TIME } from '../openapi/samples.js';

const PIN_ALLOWED = '1 to 12 digits';

/** `docs/spec/sandbox.md#terminals`: a field that is left out has its default. */
@RequestSchema('TerminalSettings', 'The settings of a simulated terminal.')
@CheckedBy(TerminalSettings)
export class TerminalSettingsDto {
  @Described(
    '`Auto` answers by the card and the amount; `Manual` waits for the customer; `Offline`, `LowBattery` and ' +
      '`LostLink` fail as their names say.',
    'LowBattery',
    'Auto',
  )
  @Text(20)
  mode?: string;
  @Described(
    'Number of a test card, or `GIFT`, `CASH`, `EBT`, `DEBIT`, `OTHER`, `UNKNOWN`. Left out: 4242424242424242.',
    '5555555555554444',
  )
  @Text(30)
  card?: string;
}

/** `docs/spec/sandbox.md#customer`: what a customer does. */
@RequestSchema('CustomerAct', 'An act of the customer at a terminal in mode `Manual`.')
@CheckedBy(CustomerAct)
export class CustomerActDto {
  @Described('`Tap`, `Insert`, `Swipe`, `Pin` or `Cancel`.', 'Tap')
  @Text(20, { required: true })
  action!: string;
  @Described(
    'The card, with `Tap`, `Insert` and `Swipe`. Left out: the card of the terminal.',
    '5555555555554444',
  )
  @Text(30)
  card?: string;
  @Described('The PIN, with `Pin`; 1234 is correct.', '1234')
  @field({
    allowed: PIN_ALLOWED,
    details: () => `received something else, allowed ${PIN_ALLOWED}`,
    fits: (value) => isText(value, 12),
    schema: { type: 'string', pattern: '^[0-9]{1,12}$' },
  })
  pin?: string;
}

const MAX_ADVANCE_SECONDS = 31_536_000;
/** `docs/spec/sandbox.md#clock`: forward by a time or to an instant. */
@RequestSchema('MoveClock', 'A move forward by seconds or to a time; exactly one of the two.')
export class MoveClockDto {
  @Described('The seconds to move forward.', 3600)
  @ExactlyOneWith('advanceSeconds', 'to')
  @field({
    allowed: `an integer from 1 to ${MAX_ADVANCE_SECONDS}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ADVANCE_SECONDS,
    schema: { type: 'integer', minimum: 1, maximum: MAX_ADVANCE_SECONDS },
  })
  advanceSeconds?: number;
  @Described('The new time; later than now.', SAMPLE_TIME)
  @field({
    allowed: INSTANT_ALLOWED,
    fits: (value) => typeof value === 'string' && isInstant(value),
    schema: { type: 'string', format: 'date-time' },
  })
  to?: string;
  @Described('Whether to respond only when all due work is done, or after 30 s.', true, true)
  @Flag()
  settle?: boolean;
}
