import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { recordFieldCheck, type FieldCheck } from './field.checks.js';
import { recordFieldSchema } from './field.schema.js';
import type { JsonSchema } from './json.schema.js';

/** What one field must be. */
export interface FieldRule {
  /** Of its error; left out: 2000. */
  readonly code?: number;
  /** For the error's details: `an integer from 1 to 999999999`. */
  readonly allowed: string;
  /** Left out: `<field> must be <allowed>.` */
  readonly message?: string;
  /** Left out: `received <value>, allowed <allowed>`. */
  readonly details?: (value: unknown, body: Readonly<Record<string, unknown>>) => string;
  /** Left out: it may be left out. */
  readonly required?: boolean;
  /** In place of `required`, where that depends on the other fields. */
  readonly whenLeftOut?: (body: Readonly<Record<string, unknown>>) => boolean;
  readonly fits: (value: unknown, body: Readonly<Record<string, unknown>>) => boolean;
  /** The same for the description of the API: of the value. Of the rules of one field one has to say its type. */
  readonly schema?: JsonSchema;
  /** The same where the rule looks at several fields: of the object that has them. */
  readonly objectSchema?: JsonSchema;
}

/** What of a rule its error needs: carried by class-validator's context. */
export interface RuleContext extends Pick<ErrorDetail, 'code'> {
  readonly allowed: string;
  readonly details?: FieldRule['details'];
}

/** A rule as a decorator. `null` was taken for "left out" before. */
export function field(rule: FieldRule): PropertyDecorator {
  const { code, allowed, message, details, required = false, whenLeftOut = () => !required, fits } = rule;
  const context: RuleContext = {
    code: code ?? ErrorCode.RequestValidationGenericError,
    allowed,
    ...(details && { details }),
  };
  const check: FieldCheck = (value, body) => (value === undefined ? whenLeftOut(body) : fits(value, body));
  const validate = (value: unknown, args?: ValidationArguments): boolean =>
    check(value, (args?.object ?? {}) as Readonly<Record<string, unknown>>);
  const defaultMessage = (args?: ValidationArguments): string =>
    args?.value === undefined && required
      ? '$property is missing.'
      : (message ?? `$property must be ${allowed}.`);
  const checked = ValidateBy({ name: allowed, validator: { validate, defaultMessage } }, { context });
  return (target, name) => {
    checked(target, name);
    recordFieldCheck(target, name, check);
    recordFieldSchema(target, name, {
      ...(rule.schema && { value: rule.schema }),
      ...(rule.objectSchema && { ofObject: rule.objectSchema }),
      required,
      code: context.code,
    });
  };
}
