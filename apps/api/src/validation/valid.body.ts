import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { isConfidential, needsAtLeastOneField, noFieldError } from './body.check.js';
import type { Fields, RuleContext } from './field.rule.js';
import { fieldsOf, nestedFields, type Dto, type NestedFields } from './field.schema.js';
import { keepRules } from './kept.rules.js';
import { hiddenName, received, shownName } from './received.text.js';

keepRules();

interface Validated<Body> {
  /** Plain objects, as events take them, with the fields that were sent and are not null. Only for use without errors. */
  readonly body: Body;
  readonly errors: readonly ErrorDetail[];
}

/** What errors say of the names and values that were sent. */
interface Shown {
  readonly name: (name: string) => string;
  readonly value: (value: unknown) => string;
  /** Whether a rule may write its own details. */
  readonly ownDetails: boolean;
}

const PLAIN: Shown = { name: shownName, value: received, ownDetails: true };
const HIDDEN: Shown = {
  name: hiddenName,
  value: (value) => (value === undefined ? received(value) : 'received something else'),
  ownDetails: false,
};

/** Validates a body against its DTO. An unknown field is an error. No value is converted. */
export function validBody<Body extends object>(dto: Dto<Body>, json: Fields): Validated<Body> {
  const errors: ErrorDetail[] = [];
  const shown = isConfidential(dto) ? HIDDEN : PLAIN;
  const body = knownFields(dto, json, { path: '', errors, shown }) as Body;
  // A nested value that is no object is not in the body, or is there without fields, and has its error already.
  const reported = errors.map(({ field }) => field ?? '');
  const isReported = (field = '') => reported.some((one) => field === one || field.startsWith(`${one}.`));
  const instance = plainToInstance(dto, body);
  for (const error of fieldErrors(
    validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: false }),
    { path: '', shown },
  )) {
    if (!isReported(error.field)) errors.push(error);
  }
  if (errors.length === 0 && needsAtLeastOneField(dto) && Object.keys(body).length === 0) {
    errors.push(noFieldError(dto));
  }
  return { body, errors: errors.map((error) => withCodeInside(dto, error)) };
}

interface Place {
  /** Of the object or list, with a dot at its end. */
  readonly path: string;
  readonly shown: Shown;
}

/**
 * The fields of the DTO that were sent and are not null. class-transformer reports no unknown field, and its instances have every
 * field of their class: the command of a change must not contain a field that was not sent.
 */
function knownFields(
  dto: Dto<object>,
  json: Fields,
  { path, errors, shown }: Place & { readonly errors: ErrorDetail[] },
): object {
  const known: Record<string, unknown> = {};
  const names = fieldsOf(dto);
  const nested = nestedFields(dto.prototype as object);
  for (const [name, value] of Object.entries(json)) {
    const inner = nested[name];
    if (!names.includes(name)) errors.push(unknownField(path + shown.name(name), names));
    else if (value === null) continue;
    else if (!inner) known[name] = leaf(value);
    else {
      const object = nestedValue(inner, value, { path: path + name, errors, shown });
      if (object !== undefined) known[name] = object;
    }
  }
  return known;
}

/** An object, or a list of objects; with another value an error is reported. `path`: of the field. */
function nestedValue(
  { type, code, listMax }: NestedFields,
  value: unknown,
  { path, errors, shown }: Place & { readonly errors: ErrorDetail[] },
): object | undefined {
  const objectAt = (one: unknown, field: string): object => {
    if (typeof one === 'object' && one !== null && !Array.isArray(one))
      return knownFields(type, one as Fields, { path: `${field}.`, errors, shown });
    errors.push(notNested(field, 'an object', { code, received: shown.value(one) }));
    return {};
  };
  if (listMax === undefined) {
    const isObject = typeof value === 'object' && !Array.isArray(value);
    const object = objectAt(value, path);
    return isObject ? object : undefined;
  }
  if (Array.isArray(value) && value.length <= listMax)
    return value.map((one: unknown, index) => objectAt(one, `${path}[${index}]`));
  errors.push(
    notNested(path, `a list of at most ${listMax} objects`, { code, received: shown.value(value) }),
  );
  return undefined;
}

/** No rule takes anything deeper than a list of plain values: what is deeper is validated as an empty object. */
function leaf(value: unknown): unknown {
  // Turns -0 into 0.
  if (typeof value === 'number') return value + 0;
  return Array.isArray(value) ? value.map(plain) : plain(value);
}

const plain = (value: unknown): unknown => (typeof value === 'object' && value !== null ? {} : value);

/** An error with no code but 2000 gets the code of the innermost object that gives its errors one. */
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

function unknownField(field: string, names: readonly string[]): ErrorDetail {
  return {
    code: ErrorCode.RequestValidationGenericError,
    field,
    message: `${field} is not a field of this request.`,
    details: names.length === 0 ? 'none is allowed' : `allowed ${names.join(', ')}`,
  };
}

function notNested(
  field: string,
  allowed: string,
  { code, received: shownValue }: { readonly code: number; readonly received: string },
): ErrorDetail {
  return {
    code,
    field,
    message: `${field} must be ${allowed}.`,
    details: `${shownValue}, allowed ${allowed}`,
  };
}

function fieldErrors(errors: readonly ValidationError[], { path, shown }: Place): ErrorDetail[] {
  return errors.flatMap((error) => {
    // The children of a list's error are its items.
    const isItem = Array.isArray(error.target);
    const field = isItem ? `${path.slice(0, -1)}[${error.property}]` : path + error.property;
    const nested = fieldErrors(error.children ?? [], { path: `${field}.`, shown });
    const [rule, message] = Object.entries(error.constraints ?? {})[0] ?? [];
    if (rule === undefined) return nested;
    const { code, allowed, details: own } = error.contexts?.[rule] as RuleContext;
    const ownDetails = shown.ownDetails ? own?.(error.value, (error.target ?? {}) as Fields) : undefined;
    const details = ownDetails ?? `${shown.value(error.value)}, allowed ${allowed}`;
    // The message has the field's own name; developers get its path.
    return [{ code, field, message: (message ?? '').replace(error.property, field), details }, ...nested];
  });
}
