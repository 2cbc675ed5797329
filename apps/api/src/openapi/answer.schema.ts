import type { ListPage } from '@tillstream/contracts';
import type { JsonSchema } from '../validation/json.schema.js';
import { component, describedHere } from './component.js';
import { ULID } from './samples.js';

/*
 * Schemas of answers, held against the types of libs/contracts by the compiler: every field of a shape has to be there,
 * with its type, and optional where the shape says so.
 */

declare const VALUE: unique symbol;

/** A schema of values of that type. */
export type SchemaOf<Value> = JsonSchema & { readonly [VALUE]?: () => Value };

/** A field that an answer can be without. */
export class Optional<Value> {
  constructor(readonly schema: SchemaOf<Value>) {}
}

export const optional = <Value>(schema: SchemaOf<Value>): Optional<Value> => new Optional(schema);

type FieldsOf<Shape> = {
  readonly [Name in keyof Shape]-?: Record<never, never> extends Pick<Shape, Name>
    ? Optional<Exclude<Shape[Name], undefined>>
    : SchemaOf<Shape[Name]>;
};

/** Answers may get more fields one day, so their schemas say nothing of others; tests take them for complete. */
export const shape =
  <Shape extends object>() =>
  (name: string, description: string, fields: FieldsOf<Shape>): SchemaOf<Shape> =>
    component('schemas', name, objectSchema(description, fields));

function objectSchema(description: string, fields: object): JsonSchema {
  const entries = Object.entries<SchemaOf<unknown> | Optional<unknown>>({ ...fields });
  const required = entries.flatMap(([field, given]) => (given instanceof Optional ? [] : [field]));
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(
      entries.map(([field, given]) => [field, given instanceof Optional ? given.schema : given]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/** A shape that has a name, said for the field that it stands in. */
export const as = <Value>(schema: SchemaOf<Value>, description: string): SchemaOf<Value> =>
  describedHere(schema, description);

export const text = (description: string, example: string, more: JsonSchema = {}): SchemaOf<string> => ({
  type: 'string',
  description,
  ...more,
  examples: [example],
});

export const integer = (description: string, example: number, more: JsonSchema = {}): SchemaOf<number> => ({
  type: 'integer',
  description,
  ...more,
  examples: [example],
});

/** One that need not be whole. */
export const decimal = (description: string, example: number, more: JsonSchema = {}): SchemaOf<number> => ({
  type: 'number',
  description,
  ...more,
  examples: [example],
});

export const yesOrNo = (description: string): SchemaOf<boolean> => ({ type: 'boolean', description });

/** UTC with milliseconds. */
export const time = (description: string, example = '2026-08-03T14:05:09.120Z'): SchemaOf<string> =>
  text(description, example, { format: 'date-time' });

/** A prefix and 26 characters. */
export const id = (description: string, example: string): SchemaOf<string> =>
  text(description, example, { pattern: `^${example.slice(0, -ULID.length)}${ULID.pattern}$` });

/** A closed set, each value with what it means; empty where its name says it. */
export const choice = <Value extends string>(
  description: string,
  values: Readonly<Record<Value, string>>,
): SchemaOf<Value> => ({
  type: 'string',
  description: withMeanings(description, Object.entries<string>(values)),
  enum: Object.keys(values),
});

/** A closed set of codes. */
export const code = (
  description: string,
  meanings: readonly (readonly [number, string])[],
  example = 0,
): SchemaOf<number> => ({
  type: 'integer',
  description: withMeanings(
    description,
    meanings.map(([value, meaning]) => [String(value), meaning]),
  ),
  enum: meanings.map(([value]) => value),
  examples: [example],
});

export const list = <Item>(
  description: string,
  items: SchemaOf<Item>,
  more: JsonSchema = {},
): SchemaOf<Item[]> => ({ type: 'array', description, items, ...more });

export const nullable = <Value>(schema: SchemaOf<Value>, description: string): SchemaOf<Value | null> => ({
  description,
  oneOf: [schema, { type: 'null' }],
});

/** A small object without a name of its own. */
export const inline = <Shape extends object>(description: string, fields: FieldsOf<Shape>): SchemaOf<Shape> =>
  objectSchema(description, fields);

export const anyFields = (description: string, example: object): SchemaOf<Record<string, unknown>> => ({
  type: 'object',
  description,
  additionalProperties: true,
  examples: [example],
});

/** A page of a list (`docs/spec/lists.md#page`). */
export const pageOf = <Item>(name: string, items: SchemaOf<Item>): SchemaOf<ListPage<Item>> =>
  shape<ListPage<Item>>()(name, 'A page of a list.', {
    data: list('In the order that was asked for.', items),
    hasMore: yesOrNo('Whether there is a page after this one.'),
    nextCursor: {
      type: ['string', 'null'],
      description: 'To be sent as `cursor` for the next page; null on the last one.',
      examples: ['MmY0ZDE5YzYxYmE3YzE1ZS4yNQ'],
    },
    total: optional(
      integer('With `includeTotal=true`: how many there are, exact up to 10,000.', 3, {
        minimum: 0,
        maximum: 10_000,
      }),
    ),
    totalIsAtLeast: optional(yesOrNo('True where there are more than `total`.')),
  });

function withMeanings(description: string, meanings: readonly (readonly [string, string])[]): string {
  const said = meanings.filter(([, meaning]) => meaning !== '');
  if (said.length === 0) return description;
  const rows = said.map(([value, meaning]) => `| \`${value}\` | ${meaning} |`);
  return [description, '', '| Value | Meaning |', '|---|---|', ...rows].join('\n');
}
