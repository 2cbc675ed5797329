import { field } from '../validation/field.rule.js';
import { Flag, Text } from '../validation/field.decorators.js';
import { INSTANT_ALLOWED, isInstant } from '../validation/instant.js';

/** `sandbox.md`, Terminals: what is left out is the default. */
export class TerminalSettingsDto {
  @Text(20) mode?: string;
  @Text(30) card?: string;
}

const MAX_ADVANCE_SECONDS = 31_536_000;
/** `sandbox.md`, Clock: forward by a time or to an instant. */
export class MoveClockDto {
  @field({
    allowed: 'exactly one of advanceSeconds and to',
    message: 'Exactly one of advanceSeconds and to is required.',
    whenLeftOut: (body) => body.to !== undefined,
    fits: (_value, body) => body.to === undefined,
  })
  @field({
    allowed: `an integer from 1 to ${MAX_ADVANCE_SECONDS}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ADVANCE_SECONDS,
  })
  advanceSeconds?: number;
  @field({
    allowed: INSTANT_ALLOWED,
    fits: (value) => typeof value === 'string' && isInstant(value),
  })
  to?: string;
  @Flag() settle?: boolean;
}
