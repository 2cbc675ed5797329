import { MAX_STOP_REASON } from '@tillstream/domain';
import { isText } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import { textSchema } from '../../validation/scalar.schemas.js';

/** Recorded, and shown to the developers of merchants. */
const Reason = ({ required = false } = {}): PropertyDecorator =>
  field({
    allowed: `a text of 1 to ${MAX_STOP_REASON} characters without control characters, not of spaces alone`,
    required,
    fits: (value) => isText(value, MAX_STOP_REASON) && value.trim() !== '',
    schema: { ...textSchema(MAX_STOP_REASON), not: { pattern: '^\\s*$' } },
  });

export class StopProcessorDto {
  @Reason({ required: true }) reason!: string;
}

export class ResumeProcessorDto {
  @Reason() reason?: string;
}
