import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { fieldChecks, type FieldCheck } from './field.checks.js';
import { nestedFields, type NestedFields } from './field.decorators.js';
import type { RuleContext } from './field.rule.js';
import { received, shownName } from './received.text.js';

export type Dto<Body extends object> = new () => Body;

export interface Validated<Body> {
  /** Only known fields, without those that were null; to be used when there are no errors. */
  readonly body: Body;
  readonly errors: readonly ErrorDetail[];
}

/**
 * A body against its DTO. Unknown fields are errors, and only known ones get near class-transformer: names such as
 * `__proto__` never do. Nothing is converted.
 */
export function validBody<Body extends object>(
  dto: Dto<Body>,
  json: Readonly<Record<string, unknown>>,
): Validated<Body> {
  const found: ErrorDetail[] = [];
  const body = knownFields(dto, json, '', found);
  // What is right needs no report, and most is: class-validator has the last word on all else.
  if (found.length === 0 && passes(checksOf(dto), body)) return { body: body as Body, errors: [] };
  const instance = plainToInstance(dto, body);
  const options = { stopAtFirstError: true, forbidUnknownValues: false };
  // A nested value that was no object was left out of the body, and has its error already.
  const reported = new Set(found.map(({ field }) => field));
  for (const error of fieldErrors(validateSync(instance, options), '')) {
    if (!reported.has(error.field)) found.push(error);
  }
  return { body: body as Body, errors: found.map((error) => withCodeInside(dto, error)) };
}

/** What class-validator will ask of an object, field by field. */
interface Checks {
  readonly fields: readonly (readonly [string, readonly FieldCheck[]])[];
  readonly nested: readonly (readonly [string, Checks])[];
}

const CHECKS = new WeakMap<object, Checks>();

function checksOf(dto: Dto<object>): Checks {
  const cached = CHECKS.get(dto);
  if (cached) return cached;
  const prototype = dto.prototype as object;
  const nested = Object.entries(nestedFields(prototype));
  const checks: Checks = {
    fields: Object.entries(fieldChecks(prototype)),
    nested: nested.map(([name, { type }]) => [name, checksOf(type)]),
  };
  CHECKS.set(dto, checks);
  return checks;
}

function passes({ fields, nested }: Checks, body: Readonly<Record<string, unknown>>): boolean {
  for (const [name, checks] of fields) {
    for (const check of checks) if (!check(body[name], body)) return false;
  }
  for (const [name, inner] of nested) {
    const value = body[name] as Readonly<Record<string, unknown>> | undefined;
    if (value !== undefined && !passes(inner, value)) return false;
  }
  return true;
}

/** The code of the innermost object that gives its errors one, where the error itself has none but 2000. */
function withCodeInside(dto: Dto<object>, error: ErrorDetail): ErrorDetail {
  if (error.code !== ErrorCode.RequestValidationGenericError) return error;
  let code: number = error.code;
  let type: Dto<object> | undefined = dto;
  for (const name of (error.field ?? '').split('.').slice(0, -1)) {
    const inner: NestedFields | undefined = type && nestedFields(type.prototype as object)[name];
    code = inner?.codeInside ?? code;
    type = inner?.type;
  }
  return code === error.code ? error : { ...error, code };
}

function knownFields(
  dto: Dto<object>,
  json: Readonly<Record<string, unknown>>,
  path: string,
  errors: ErrorDetail[],
): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  const names = fieldsOf(dto);
  const nested = nestedFields(dto.prototype as object);
  for (const name of Object.keys(json)) {
    const value = json[name];
    const inner = nested[name];
    if (!names.has(name)) errors.push(unknownField(path + shownName(name), names));
    else if (value === null) continue;
    else if (!inner) known[name] = leaf(value);
    else if (typeof value === 'object' && !Array.isArray(value)) {
      known[name] = knownFields(
        inner.type,
        value as Readonly<Record<string, unknown>>,
        `${path}${name}.`,
        errors,
      );
    } else errors.push(noObject(path + name, value, inner.code));
  }
  return known;
}

/**
 * No rule takes anything deeper than a list of plain values, and what is deeper is refused as an empty object is:
 * class-transformer would follow it down until the stack is full, and takes members such as `constructor` for its own.
 */
function leaf(value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  return Array.isArray(value) ? value.map(plain) : plain(value);
}

const plain = (value: unknown): unknown => (typeof value === 'object' && value !== null ? {} : value);

const FIELDS = new WeakMap<object, ReadonlySet<string>>();

/** The names of its fields; each name once. */
export function fieldsOf(dto: Dto<object>): ReadonlySet<string> {
  const cached = FIELDS.get(dto);
  if (cached) return cached;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const fields = new Set(metadata.map(({ propertyName }) => propertyName));
  FIELDS.set(dto, fields);
  return fields;
}

function unknownField(field: string, names: ReadonlySet<string>): ErrorDetail {
  return {
    code: ErrorCode.RequestValidationGenericError,
    field,
    message: `${field} is not a field of this request.`,
    details: names.size === 0 ? 'none is allowed' : `allowed ${[...names].join(', ')}`,
  };
}

function noObject(field: string, value: unknown, code: number): ErrorDetail {
  return {
    code,
    field,
    message: `${field} must be an object.`,
    details: `${received(value)}, allowed an object`,
  };
}

function fieldErrors(errors: readonly ValidationError[], path: string): ErrorDetail[] {
  return errors.flatMap((error) => {
    const field = path + error.property;
    const nested = fieldErrors(error.children ?? [], `${field}.`);
    const [rule, message] = Object.entries(error.constraints ?? {})[0] ?? [];
    if (rule === undefined) return nested;
    const { code, allowed, details: own } = error.contexts?.[rule] as RuleContext;
    const body = (error.target ?? {}) as Readonly<Record<string, unknown>>;
    const details = own?.(error.value, body) ?? `${received(error.value)}, allowed ${allowed}`;
    // The message has the field's own name; developers get its path.
    return [{ code, field, message: (message ?? '').replace(error.property, field), details }, ...nested];
  });
}
