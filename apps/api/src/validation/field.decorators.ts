import 'reflect-metadata';
import { ErrorCode } from '@tillstream/contracts';
import { isAmount, isGeneratedReferenceId, MAX_AMOUNT } from '@tillstream/domain';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { field } from './field.rule.js';

/* The kinds of fields that requests have (`interface.md` 2.1, 2.2; `decisions.md` 1). */

/** Control characters, and halves of surrogate pairs, which are no characters at all. */
const UNWANTED = /[\p{Cc}\p{Cs}]/u;
const ALPHANUMERIC = /^[A-Za-z0-9]+$/;

export const Amount = ({ required = false } = {}): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidAmount,
    allowed: `an integer from 1 to ${MAX_AMOUNT}`,
    required,
    fits: isAmount,
  });

/** A part of a breakdown. */
export const AmountPart = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidAmount,
    allowed: `an integer from 0 to ${MAX_AMOUNT}`,
    fits: (value) => value === 0 || isAmount(value),
  });

/** 1 to `max` code points. */
export const Text = (max: number, { required = false } = {}): PropertyDecorator =>
  field({
    allowed: `a text of 1 to ${max} characters without control characters`,
    required,
    fits: (value) => typeof value === 'string' && !UNWANTED.test(value) && hasLength(value, max),
  });

export const Alphanumeric = (max: number): PropertyDecorator =>
  field({
    allowed: `1 to ${max} letters A to Z, a to z and digits`,
    fits: (value) => typeof value === 'string' && ALPHANUMERIC.test(value) && value.length <= max,
  });

export const OneOf = (values: readonly string[]): PropertyDecorator =>
  field({
    allowed: `one of ${values.join(', ')}`,
    fits: (value) => typeof value === 'string' && values.includes(value),
  });

export const Flag = (): PropertyDecorator =>
  field({ allowed: 'true or false', fits: (value) => typeof value === 'boolean' });

/** A client's own reference: those that the service makes are of a form that nobody else may use. */
export const OwnReference = (): PropertyDecorator =>
  field({
    allowed: 'a reference of your own: ref_ and 26 characters is the form of ours',
    fits: (value) => typeof value !== 'string' || !isGeneratedReferenceId(value),
  });

/** Put on `originalTransactionId`, which its error names: one of it and `originalReferenceId` is there, not both. */
export const ExactlyOneOriginal = (): PropertyDecorator =>
  field({
    allowed: 'exactly one of originalTransactionId and originalReferenceId',
    message: 'Exactly one of originalTransactionId and originalReferenceId is required.',
    whenLeftOut: (body) => body.originalReferenceId !== undefined,
    fits: (_value, body) => body.originalReferenceId === undefined,
  });

const NESTED = Symbol('nested');

export interface NestedFields {
  readonly type: new () => object;
  /** Of the error where it is no object. */
  readonly code: number;
}

/** An object of fields of its own. */
export const Nested =
  (type: new () => object, code: number): PropertyDecorator =>
  (target, name) => {
    const known = nestedFields(target);
    Reflect.defineMetadata(NESTED, { ...known, [name]: { type, code } }, target);
    ValidateNested()(target, name);
    Type(() => type)(target, name);
  };

export function nestedFields(prototype: object): Readonly<Record<string, NestedFields>> {
  return (Reflect.getMetadata(NESTED, prototype) as Record<string, NestedFields> | undefined) ?? {};
}

function hasLength(text: string, max: number): boolean {
  if (text.length === 0 || text.length > 2 * max) return false;
  return text.length <= max || [...text].length <= max;
}
