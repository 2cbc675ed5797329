import { CheckedBy } from '../validation/body.check.js';
import { field } from '../validation/field.rule.js';
import { ExactlyOneWith, Flag, isText, Text } from '../validation/field.decorators.js';
import { INSTANT_ALLOWED, isInstant } from '../validation/instant.js';
import { CustomerAct, TerminalSettings } from './sandbox.checks.js';

const PIN_ALLOWED = '1 to 12 digits';

/** `docs/spec/sandbox.md#terminals`: a field that is left out has its default. */
@CheckedBy(TerminalSettings)
export class TerminalSettingsDto {
  @Text(20) mode?: string;
  @Text(30) card?: string;
}

/** `docs/spec/sandbox.md#customer`: what a customer does. */
@CheckedBy(CustomerAct)
export class CustomerActDto {
  @Text(20, { required: true }) action!: string;
  @Text(30) card?: string;
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
export class MoveClockDto {
  @ExactlyOneWith('advanceSeconds', 'to')
  @field({
    allowed: `an integer from 1 to ${MAX_ADVANCE_SECONDS}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ADVANCE_SECONDS,
    schema: { type: 'integer', minimum: 1, maximum: MAX_ADVANCE_SECONDS },
  })
  advanceSeconds?: number;
  @field({
    allowed: INSTANT_ALLOWED,
    fits: (value) => typeof value === 'string' && isInstant(value),
    schema: { type: 'string', format: 'date-time' },
  })
  to?: string;
  @Flag() settle?: boolean;
}
