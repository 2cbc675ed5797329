import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import {
  IsDefined,
  IsOptional,
  ValidateBy,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import type { JsonSchema } from './json.schema.js';

/*
 * Rules of fields are decorators of class-validator, and its metadata storage is the only registry of them. The
 * `context` of each rule holds what the contract needs besides: the error's code and details for the validation, and the
 * JSON schema for the description of the API (`field.schema.ts`).
 */

export type Fields = Readonly<Record<string, unknown>>;

export interface RuleContext extends Pick<ErrorDetail, 'code'> {
  /** For the error's details: `an integer from 1 to 999999999`. */
  readonly allowed: string;
  /** Left out: `received <value>, allowed <allowed>`. */
  readonly details?: (value: unknown, body: Fields) => string;
  /** Of the value. At least one rule of a field gives its type. */
  readonly schema?: JsonSchema;
  /** Of the object with the field, where the rule reads several fields. */
  readonly objectSchema?: JsonSchema;
}

export interface RuleOptions extends Omit<RuleContext, 'code' | 'allowed'> {
  /** Default 2000. */
  readonly code?: number;
  /** Default: `<field> must be <allowed>.` */
  readonly message?: string;
}

/** Options for a decorator of class-validator. */
export function allows(allowed: string, { message, ...more }: RuleOptions = {}): ValidationOptions {
  const context: RuleContext = { code: ErrorCode.RequestValidationGenericError, ...more, allowed };
  return { message: message ?? `$property must be ${allowed}.`, context };
}

/** Several rules of one field as one decorator. A field that is not required may be left out. */
export function rules(
  required: boolean,
  options: ValidationOptions,
  ...decorators: readonly ((options: ValidationOptions) => PropertyDecorator)[]
): PropertyDecorator {
  const presence = required ? IsDefined({ ...options, message: '$property is missing.' }) : IsOptional();
  return (target, name) => {
    presence(target, name);
    for (const decorator of decorators) decorator(options)(target, name);
  };
}

/**
 * A rule that class-validator does not have, or one beside a rule that reads other fields: `IsOptional` of `rules` would skip all
 * rules of a missing field.
 */
interface FieldRule extends RuleOptions {
  readonly allowed: string;
  readonly required?: boolean;
  /** In place of `required`, where it depends on the other fields. */
  readonly mayBeMissing?: (body: Fields) => boolean;
  readonly fits: (value: unknown, body: Fields) => boolean;
}

export function field({
  required = false,
  mayBeMissing,
  fits,
  allowed,
  ...more
}: FieldRule): PropertyDecorator {
  const options = allows(allowed, more);
  const isOptional = mayBeMissing ?? (() => !required);
  const validate = (value: unknown, args?: ValidationArguments): boolean => {
    const body = (args?.object ?? {}) as Fields;
    return value === undefined ? isOptional(body) : fits(value, body);
  };
  // Each rule of a field needs a name of its own: class-validator keeps messages and contexts by name.
  const checked = ValidateBy({ name: allowed, validator: { validate } }, options);
  return (target, name) => {
    if (required) IsDefined({ ...options, message: '$property is missing.' })(target, name);
    checked(target, name);
  };
}
