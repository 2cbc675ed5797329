import 'reflect-metadata';
import { ErrorCode } from '@tillstream/contracts';
import { isAmount, isGeneratedReferenceId, MAX_AMOUNT } from '@tillstream/domain';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { field } from './field.rule.js';
import { recordFieldSchema } from './field.schema.js';
import { alphanumericSchema, GENERATED_REFERENCE_ID, textSchema } from './scalar.schemas.js';

/*
 * The kinds of fields that requests have (`docs/spec/README.md#field-types` and
 * `docs/spec/payments.md#amount-breakdown`; `docs/spec/README.md#values`).
 */

/** Control characters, and halves of surrogate pairs, which are no characters at all. */
const UNWANTED = /[\p{Cc}\p{Cs}]/u;
const ALPHANUMERIC = /^[A-Za-z0-9]+$/;

export interface TextOptions {
  readonly required?: boolean;
  /** Of its error; left out: 2000. */
  readonly code?: number;
}

export const Amount = ({ required = false } = {}): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidAmount,
    allowed: `an integer from 1 to ${MAX_AMOUNT}`,
    required,
    fits: isAmount,
    schema: { type: 'integer', minimum: 1, maximum: MAX_AMOUNT },
  });

/** A part of a breakdown. */
export const AmountPart = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidAmount,
    allowed: `an integer from 0 to ${MAX_AMOUNT}`,
    fits: (value) => value === 0 || isAmount(value),
    schema: { type: 'integer', minimum: 0, maximum: MAX_AMOUNT },
  });

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
  field({
    allowed: `1 to ${max} letters A to Z, a to z and digits`,
    fits: (value) => isAlphanumeric(value, max),
    schema: alphanumericSchema(max),
  });

export const OneOf = (values: readonly string[]): PropertyDecorator =>
  field({
    allowed: `one of ${values.join(', ')}`,
    fits: (value) => typeof value === 'string' && values.includes(value),
    schema: { type: 'string', enum: values },
  });

export const Flag = (): PropertyDecorator =>
  field({
    allowed: 'true or false',
    fits: (value) => typeof value === 'boolean',
    schema: { type: 'boolean' },
  });

/** A client's own reference: those that the service makes are of a form that nobody else may use. */
export const OwnReference = (): PropertyDecorator =>
  field({
    allowed: 'a reference of your own: ref_ and 26 characters is the form of ours',
    fits: (value) => typeof value !== 'string' || !isGeneratedReferenceId(value),
    schema: { not: { pattern: GENERATED_REFERENCE_ID } },
  });

/** Put on `originalTransactionId`, which its error names: one of it and `originalReferenceId` is there, not both. */
export const ExactlyOneOriginal = (): PropertyDecorator =>
  field({
    allowed: 'exactly one of originalTransactionId and originalReferenceId',
    message: 'Exactly one of originalTransactionId and originalReferenceId is required.',
    whenLeftOut: (body) => body.originalReferenceId !== undefined,
    fits: (_value, body) => body.originalReferenceId === undefined,
    objectSchema: {
      oneOf: [{ required: ['originalTransactionId'] }, { required: ['originalReferenceId'] }],
    },
  });

/**
 * MMYY. Whether it is past depends on the time, and is for the use case to say
 * (`docs/spec/errors.md#which-answer-wins`).
 */
export const CardExpiry = (): PropertyDecorator =>
  field({
    allowed: 'month and year as MMYY, the month from 01 to 12',
    fits: (value) => typeof value === 'string' && /^(0[1-9]|1[0-2])\d\d$/.test(value),
    schema: { type: 'string', pattern: '^(0[1-9]|1[0-2])[0-9]{2}$' },
  });

const NESTED = Symbol('nested');

export interface NestedFields {
  readonly type: new () => object;
  /** Of the error where it is no object. */
  readonly code: number;
  /** Of every error in it that has no code more specific than 2000. */
  readonly codeInside?: number;
}

/** An object of fields of its own. */
export const Nested =
  (
    type: new () => object,
    code: number,
    { codeInside }: Pick<NestedFields, 'codeInside'> = {},
  ): PropertyDecorator =>
  (target, name) => {
    const known = nestedFields(target);
    const fields: NestedFields = { type, code, ...(codeInside !== undefined && { codeInside }) };
    Reflect.defineMetadata(NESTED, { ...known, [name]: fields }, target);
    recordFieldSchema(target, name, { value: { type: 'object' }, code, type });
    ValidateNested()(target, name);
    Type(() => type)(target, name);
  };

export function nestedFields(prototype: object): Readonly<Record<string, NestedFields>> {
  return (Reflect.getMetadata(NESTED, prototype) as Record<string, NestedFields> | undefined) ?? {};
}

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
