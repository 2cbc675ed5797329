import { alphanumericSchema, isAlphanumeric, isText, textSchema } from './field.decorators.js';
import type { SchemaOf } from '../openapi/response.schema.js';
import { boundOf, INSTANT_ALLOWED } from './instant.js';
import type { JsonSchema } from './json.schema.js';

/* The kinds of filters that lists have (`docs/spec/lists.md#filters`). */

export interface Filter<Value, Many extends boolean = boolean> {
  /** For the error's details. */
  readonly allowed: string;
  /** The parameter may be repeated and then means any of its values; else a repetition is an error. */
  readonly many: Many;
  /** Undefined: not allowed. */
  readonly read: (text: string) => Value | undefined;
  /** Of one value, for the description of the API. */
  readonly schema?: JsonSchema;
}

export type Filters = Readonly<Record<string, Filter<unknown>>>;

/** The chosen values by parameter, as the read models take them. */
export type Chosen<Rules extends Filters> = {
  readonly [Name in keyof Rules]?: Rules[Name] extends Filter<infer Value, true>
    ? readonly Value[]
    : Rules[Name] extends Filter<infer Value, false>
      ? Value
      : never;
};

/** Values of one parameter: each costs the query an index scan. */
export const MAX_VALUES = 50;

export const anyOf = <Value extends string>(values: readonly Value[]): Filter<Value, true> => ({
  allowed: values.join(', '),
  many: true,
  read: (text) => values.find((value) => value === text),
  schema: { type: 'string', enum: values },
});

/** The values that a field of a response can have. */
export const anyIn = <Value extends string>({ enum: values = [] }: SchemaOf<Value>): Filter<Value, true> =>
  anyOf(values as readonly Value[]);

export const anyOfNumbers = (values: readonly number[]): Filter<number, true> => ({
  allowed: values.join(', '),
  many: true,
  read: (text) => values.find((value) => String(value) === text),
  schema: { type: 'integer', enum: values },
});

/** An id that nothing has is no error: nothing is found. */
export const anyText = (max: number): Filter<string, true> => ({
  allowed: `a text of 1 to ${max} characters without control characters`,
  many: true,
  read: (text) => (isText(text, max) ? text : undefined),
  schema: textSchema(max),
});

export const anyAlphanumeric = (max: number): Filter<string, true> => ({
  allowed: `1 to ${max} letters A to Z, a to z and digits`,
  many: true,
  read: (text) => (isAlphanumeric(text, max) ? text : undefined),
  schema: alphanumericSchema(max),
});

export const integer = (min: number, max: number): Filter<number, false> => ({
  allowed: `an integer from ${min} to ${max}`,
  many: false,
  read: (text) =>
    /^(0|[1-9]\d{0,14})$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  schema: { type: 'integer', minimum: min, maximum: max },
});

/** RFC 3339; the value is in UTC with milliseconds. */
export const time: Filter<string, false> = {
  allowed: INSTANT_ALLOWED,
  many: false,
  read: boundOf,
  schema: { type: 'string', format: 'date-time' },
};

export const flag: Filter<boolean, false> = {
  allowed: 'true or false',
  many: false,
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  schema: { type: 'boolean' },
};
