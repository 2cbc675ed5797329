import { MAX_STOP_REASON } from '@tillstream/domain';
import { isText, textSchema } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';

const REASON_TEXT = [
  'Why, for the record. Merchants’ developers see why a processor was stopped.',
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

@RequestSchema('StopProcessor', 'Why it is stopped.')
export class StopProcessorDto {
  @Described(...REASON_TEXT)
  @Reason({ required: true })
  reason!: string;
}

@RequestSchema('ResumeProcessor', 'Why it goes on.')
export class ResumeProcessorDto {
  @Described(...REASON_TEXT)
  @Reason()
  reason?: string;
}
