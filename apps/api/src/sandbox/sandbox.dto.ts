import { field } from '../validation/field.rule.js';
import { Flag, Text } from '../validation/field.decorators.js';

/** `sandbox.md`, Terminals: what is left out is the default. */
export class TerminalSettingsDto {
  @Text(20) mode?: string;
  @Text(30) card?: string;
}

const MAX_ADVANCE_SECONDS = 31_536_000;
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** `Date.parse` alone takes February 30 for March 2: a day that exists comes back as it was written. */
function isInstant(text: string): boolean {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

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
    allowed: 'a time of a day that exists, such as 2026-08-03T12:00:00.000Z',
    fits: (value) => typeof value === 'string' && isInstant(value),
  })
  to?: string;
  @Flag() settle?: boolean;
}
