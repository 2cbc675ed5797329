import { MAX_STOP_REASON } from '@tillstream/domain/service';
import { isText, textSchema } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';

const REASON_TEXT = [
  'The reason, which is recorded. Merchants’ developers see the reason of a stop.',
  'maintenance at the processor',
] as const;

/** Recorded, and shown to the developers of merchants. */
const Reason = ({ required = false } = {}): PropertyDecorator =>
  field({
    allowed: `a text of 1 to ${MAX_STOP_REASON} characters without control characters, not of spaces alone`,
    required,
    fits: (value) => isText(value, MAX_STOP_REASON) && value.trim() !== '',
    schema: { ...textSchema(MAX_STOP_REASON), not: { pattern: '^\\s*$' } },
  });

@RequestSchema('StopProcessor', 'The reason of the stop.')
export class StopProcessorDto {
  @Described(...REASON_TEXT)
  @Reason({ required: true })
  reason!: string;
}

@RequestSchema('ResumeProcessor', 'The reason of the resumption.')
export class ResumeProcessorDto {
  @Described(...REASON_TEXT)
  @Reason()
  reason?: string;
}
