import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { isGeneratedReferenceId, MAX_AMOUNT } from '@tillstream/domain';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  Matches,
  Max,
  MaxLength,
  Min,
  NotEquals,
  ValidateNested,
} from 'class-validator';
import { allows, field, rules, type RuleContext, type RuleOptions } from './field.rule.js';
import type { NestedFields } from './field.schema.js';
import { boundOf, INSTANT_ALLOWED } from './instant.js';
import type { JsonSchema } from './json.schema.js';

/*
 * The kinds of fields that requests have (`docs/spec/README.md#field-types` and
 * `docs/spec/payments.md#amount-breakdown`; `docs/spec/README.md#values`).
 */

/** Control characters, and halves of surrogate pairs, which are no characters at all. */
const UNWANTED = /[\p{Cc}\p{Cs}]/u;
const ALPHANUMERIC = /^[A-Za-z0-9]+$/;
/** `isGeneratedReferenceId`, for the description of the API. */
const GENERATED_REFERENCE_ID = '^ref_[0-7][0-9A-HJKMNP-TV-Z]{25}$';

/** JSON Schema counts code points, as `isText` does. */
export const textSchema = (max: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
});

export const alphanumericSchema = (max: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  pattern: ALPHANUMERIC.source,
});

interface TextOptions {
  readonly required?: boolean;
  /** Of its error; left out: 2000. */
  readonly code?: number;
}

interface IntegerOptions extends TextOptions {
  readonly allowed?: string;
}

export const Integer = (
  min: number,
  max: number,
  {
    required = false,
    code = ErrorCode.RequestValidationGenericError,
    allowed = `an integer from ${min} to ${max}`,
  }: IntegerOptions = {},
): PropertyDecorator =>
  rules(
    required,
    allows(allowed, { code, schema: { type: 'integer', minimum: min, maximum: max } }),
    IsInt,
    (options) => Min(min, options),
    (options) => Max(max, options),
  );

export const Amount = ({ required = false } = {}): PropertyDecorator =>
  Integer(1, MAX_AMOUNT, { code: ErrorCode.InvalidAmount, required });

/** A part of a breakdown. */
export const AmountPart = (): PropertyDecorator => Integer(0, MAX_AMOUNT, { code: ErrorCode.InvalidAmount });

/** Cents that are received or paid. */
export const SignedAmount = ({ required = false } = {}): PropertyDecorator =>
  rules(
    required,
    allows(`an integer from -${MAX_AMOUNT} to ${MAX_AMOUNT} that is not 0`, {
      code: ErrorCode.InvalidAmount,
      schema: { type: 'integer', minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT, not: { const: 0 } },
    }),
    IsInt,
    (options) => Min(-MAX_AMOUNT, options),
    (options) => Max(MAX_AMOUNT, options),
    (options) => NotEquals(0, options),
  );

/** 1 to `max` code points. */
export const Text = (
  max: number,
  { required = false, code = ErrorCode.RequestValidationGenericError }: TextOptions = {},
): PropertyDecorator =>
  field({
    code,
    allowed: `a text of 1 to ${max} characters without control characters`,
    required,
    fits: (value) => isText(value, max),
    schema: textSchema(max),
  });

export const Alphanumeric = (max: number): PropertyDecorator =>
  rules(
    false,
    allows(`1 to ${max} letters A to Z, a to z and digits`, { schema: alphanumericSchema(max) }),
    (options) => Matches(ALPHANUMERIC, options),
    (options) => MaxLength(max, options),
  );

export const OneOf = (values: readonly string[], { required = false } = {}): PropertyDecorator =>
  rules(
    required,
    allows(`one of ${values.join(', ')}`, { schema: { type: 'string', enum: values } }),
    (options) => IsIn(values, options),
  );

export const Flag = ({ required = false } = {}): PropertyDecorator =>
  rules(required, allows('true or false', { schema: { type: 'boolean' } }), IsBoolean);

/** A list of some of these values, each at most once. */
export const ListOf = (values: readonly string[], allowed: string, min = 0): PropertyDecorator => {
  const items: JsonSchema = { type: 'string', enum: values };
  const schema: JsonSchema = {
    type: 'array',
    items,
    ...(min > 0 && { minItems: min }),
    maxItems: values.length,
    uniqueItems: true,
  };
  return rules(
    false,
    allows(allowed, { schema }),
    IsArray,
    (options) => ArrayMinSize(min, options),
    (options) => IsIn(values, { ...options, each: true }),
    (options) => ArrayUnique(options),
  );
};

/** A client's own reference: it must not have the form of the references that the service makes. */
export const OwnReference = (): PropertyDecorator =>
  field({
    allowed: 'a reference of your own: ref_ and 26 characters is the form of ours',
    fits: (value) => typeof value !== 'string' || !isGeneratedReferenceId(value),
    schema: { not: { pattern: GENERATED_REFERENCE_ID } },
  });

/** MMYY. The use case checks whether it is past, for that depends on the time (`docs/spec/errors.md#which-answer-wins`). */
export const CardExpiry = (options: TextOptions = {}): PropertyDecorator =>
  Form(/^(0[1-9]|1[0-2])[0-9]{2}$/, 'month and year as MMYY, the month from 01 to 12', options);

/** A text that matches a regular expression, which has to mean the same in JSON schema. */
export const Form = (
  form: RegExp,
  allowed: string,
  { required = false, code = ErrorCode.RequestValidationGenericError }: TextOptions = {},
): PropertyDecorator =>
  rules(required, allows(allowed, { code, schema: { type: 'string', pattern: form.source } }), (options) =>
    Matches(form, options),
  );

/** For a field that must not be missing where `other` is given. */
export const RequiredWith = (
  other: string,
  options: Pick<RuleContext, 'allowed'> & RuleOptions,
): PropertyDecorator =>
  field({ ...options, mayBeMissing: (body) => body[other] === undefined, fits: () => true });

/** Exactly one of `name` and `other` must be sent. The error names the field. */
export const ExactlyOneWith = (name: string, other: string, code?: number): PropertyDecorator =>
  field({
    ...(code !== undefined && { code }),
    allowed: `exactly one of ${name} and ${other}`,
    message: `Exactly one of ${name} and ${other} is required.`,
    mayBeMissing: (body) => body[other] !== undefined,
    fits: (_value, body) => body[other] === undefined,
    objectSchema: { oneOf: [{ required: [name] }, { required: [other] }] },
  });

/** An object with fields of its own: class-transformer makes it an instance of `type`, and class-validator validates it. */
export const Nested = (
  type: NestedFields['type'],
  code: number,
  { codeInside }: Pick<NestedFields, 'codeInside'> = {},
): PropertyDecorator => {
  const context: NestedFields & Pick<RuleContext, 'schema'> = {
    type,
    code,
    schema: { type: 'object' },
    ...(codeInside !== undefined && { codeInside }),
  };
  return applyDecorators(
    Type(() => type),
    ValidateNested({ context }),
  );
};

/** A list of at most `max` objects with fields of their own; the errors name them as `rules[0].rateBps`. */
export const NestedList = (
  type: NestedFields['type'],
  max: number,
  code: number = ErrorCode.RequestValidationGenericError,
): PropertyDecorator => {
  const context: NestedFields & Pick<RuleContext, 'schema'> = {
    ...{ type, code, listMax: max },
    schema: { type: 'array', maxItems: max },
  };
  return applyDecorators(
    Type(() => type),
    ValidateNested({ context, each: true }),
  );
};

/** RFC 3339. `boundOf` gives it in UTC with milliseconds. */
export const Instant = (): PropertyDecorator =>
  field({
    allowed: INSTANT_ALLOWED,
    fits: (value) => typeof value === 'string' && boundOf(value) !== undefined,
    schema: { type: 'string', format: 'date-time' },
  });

/** 1 to `max` code points without control characters. */
export function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && !UNWANTED.test(value) && hasLength(value, max);
}

export function isAlphanumeric(value: unknown, max: number): value is string {
  return typeof value === 'string' && ALPHANUMERIC.test(value) && value.length <= max;
}

function hasLength(text: string, max: number): boolean {
  if (text.length === 0 || text.length > 2 * max) return false;
  return text.length <= max || [...text].length <= max;
}
