import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import { fieldsOf, type Dto } from './field.schema.js';

/**
 * Finds errors of a body that no decorator of a field can find, because they depend on settings or on the whole body. A
 * provider; a DTO names it in `@CheckedBy`.
 */
export interface BodyCheck<Body extends object> {
  /**
   * Where a field's own rule found an error, that one counts and not this one's.
   *
   * @param found the errors that the rules of the fields found
   */
  errors(body: Body, found: readonly ErrorDetail[]): readonly ErrorDetail[];
}

const CHECKS = Symbol('body checks');
const AT_LEAST_ONE = Symbol('at least one field');
const NEVER_EMPTY = Symbol('never empty');
const CONFIDENTIAL = Symbol('confidential');

export const CheckedBy =
  (check: Type<BodyCheck<never>>): ClassDecorator =>
  (dto) =>
    Reflect.defineMetadata(CHECKS, [check, ...checksOf(dto)], dto);

/** On a DTO whose fields may all be left out, but not all at once. */
export const AtLeastOneField = (): ClassDecorator => (dto) => Reflect.defineMetadata(AT_LEAST_ONE, true, dto);

/** On a DTO whose fields are all optional here, and required by a later check: an empty body does not count as `{}`. */
export const NeverEmpty = (): ClassDecorator => (dto) => Reflect.defineMetadata(NEVER_EMPTY, true, dto);

export const isNeverEmpty = (dto: object): boolean => Reflect.hasMetadata(NEVER_EMPTY, dto);

/** On a DTO with secrets: no error repeats anything that was sent in any field, because a secret may be in the wrong one. */
export const Confidential = (): ClassDecorator => (dto) => Reflect.defineMetadata(CONFIDENTIAL, true, dto);

export const isConfidential = (dto: object): boolean => Reflect.hasMetadata(CONFIDENTIAL, dto);

export function checksOf(dto: object): readonly Type<BodyCheck<object>>[] {
  return (Reflect.getMetadata(CHECKS, dto) as Type<BodyCheck<object>>[] | undefined) ?? [];
}

export function needsAtLeastOneField(dto: object): boolean {
  return Reflect.hasOwnMetadata(AT_LEAST_ONE, dto);
}

export function noFieldError(dto: Dto<object>): ErrorDetail {
  const allowed = `at least one of ${fieldsOf(dto).join(', ')}`;
  return invalidField('body', `The body must have ${allowed}.`, `received none, allowed ${allowed}`);
}

/** An error of one field that is found by something other than the rule of a field. */
export function invalidField(field: string, message: string, details?: string): ErrorDetail {
  const code = ErrorCode.RequestValidationGenericError;
  return { code, field, message, ...(details !== undefined && { details }) };
}
