import type { JsonSchema } from './json.schema.js';

/* Schemas of the scalar values that fields and filters share. JSON Schema counts code points, as we do. */

/** Without control characters. */
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** The form of a reference id that the service makes: clients must not use it. */
export const GENERATED_REFERENCE_ID = '^ref_[0-7][0-9A-HJKMNP-TV-Z]{25}$';

export const textSchema = (max: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  pattern: NO_CONTROL_CHARACTERS,
});

export const alphanumericSchema = (max: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  pattern: '^[A-Za-z0-9]+$',
});
