import { field } from '../validation/field.rule.js';
import { Flag, isText, Text } from '../validation/field.decorators.js';
import { INSTANT_ALLOWED, isInstant } from '../validation/instant.js';

const PIN_ALLOWED = '1 to 12 digits';

/** `docs/spec/sandbox.md#terminals`: what is left out is the default. */
export class TerminalSettingsDto {
  @Text(20) mode?: string;
  @Text(30) card?: string;
}

/**
 * `docs/spec/sandbox.md#customer`: what a customer does. Which card and PIN go with which action is the sandbox's to
 * say.
 */
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
  @field({
    allowed: 'exactly one of advanceSeconds and to',
    message: 'Exactly one of advanceSeconds and to is required.',
    whenLeftOut: (body) => body.to !== undefined,
    fits: (_value, body) => body.to === undefined,
    objectSchema: { oneOf: [{ required: ['advanceSeconds'] }, { required: ['to'] }] },
  })
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
