import { ApiProperty, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import type { ListPage } from '@tillstream/contracts';
import type { JsonSchema } from '../validation/json.schema.js';
import { idPattern } from './samples.js';

/*
 * Schemas of responses. The compiler compares them with the types of libs/contracts: a shape must have every field, with
 * its type, and a field is optional exactly where the type says so. A class with `@ApiProperty` on its fields could not
 * promise that: `implements` accepts a class without an optional field, and never looks into a decorator.
 */

declare const VALUE: unique symbol;

/** A schema of values of that type. */
export type SchemaOf<Value> = JsonSchema & { readonly [VALUE]?: () => Value };

/** A class that @nestjs/swagger knows as a named schema: the `type` of a response. */
export interface Shape<Value> {
  new (): object;
  readonly fields: ShapeFields;
  readonly [VALUE]?: () => Value;
}

/** By name. */
export type ShapeFields = Readonly<Record<string, Field<unknown> | Optional<unknown>>>;

/** A field that holds a shape, or a list of one. */
export interface ShapeField<Value> {
  readonly type: () => Shape<unknown>;
  readonly isArray?: true;
  readonly description: string;
  /** The CSV of a list shows the first entry, in columns, instead of a JSON text of all entries. */
  readonly firstInCsv?: boolean;
  readonly [VALUE]?: () => Value;
}

type Field<Value> = SchemaOf<Value> | ShapeField<Value>;

/** A field that a response can be without. */
export class Optional<Value> {
  constructor(readonly field: Field<Value>) {}
}

export const optional = <Value>(field: Field<Value>): Optional<Value> => new Optional(field);

type FieldsOf<Type, Kind extends 'field' | 'schema' = 'field'> = {
  readonly [Name in keyof Type]-?: Record<never, never> extends Pick<Type, Name>
    ? Optional<Exclude<Type[Name], undefined>>
    : Kind extends 'field'
      ? Field<Type[Name]>
      : SchemaOf<Type[Name]>;
};

/**
 * A named schema. Responses may get more fields one day, so it does not exclude others; tests do
 * (`testing/closed.schema.ts`).
 */
export const shape =
  <Type extends object>() =>
  (name: string, description: string, fields: FieldsOf<Type>): Shape<Type> => {
    class Response {
      static readonly fields: ShapeFields = { ...fields };
    }
    ApiSchema({ name, description })(Response);
    for (const [field, given] of Object.entries(Response.fields)) {
      const selfRequired = !(given instanceof Optional);
      const { firstInCsv: _firstInCsv, ...schema } = (
        given instanceof Optional ? given.field : given
      ) as JsonSchema & Pick<ShapeField<unknown>, 'firstInCsv'>;
      // Without a type, @nestjs/swagger looks for a class.
      const type = 'oneOf' in schema ? { type: Object } : {};
      ApiProperty({ ...type, ...schema, selfRequired } as unknown as ApiPropertyOptions)(
        Response.prototype,
        field,
      );
    }
    return Response;
  };

/** A field that holds a shape. */
export const as = <Value>(type: Shape<Value>, description: string): ShapeField<Value> => ({
  type: () => type,
  description,
});

const scalar =
  <Value>(type: 'string' | 'integer' | 'number') =>
  (description: string, example: Value, more: JsonSchema = {}): SchemaOf<Value> => ({
    type,
    description,
    ...more,
    examples: [example],
  });

export const text = scalar<string>('string');
export const integer = scalar<number>('integer');
/** A number of things, from 0. */
export const count = (description: string, example: number): SchemaOf<number> =>
  integer(description, example, { minimum: 0 });
/** One that need not be whole. */
export const decimal = scalar<number>('number');

/** `type: ['string', 'null']` in the document: @nestjs/swagger takes a list of types for a list of values. */
export const nullableText = (description: string, example: string): SchemaOf<string | null> => ({
  ...text(description, example),
  ...({ nullable: true } as JsonSchema),
});

export const yesOrNo = (description: string): SchemaOf<boolean> => ({ type: 'boolean', description });

/** UTC with milliseconds. */
export const time = (description: string, example = '2026-08-03T14:05:09.120Z'): SchemaOf<string> =>
  text(description, example, { format: 'date-time' });

/** A prefix and 26 characters. */
export const id = (description: string, example: string): SchemaOf<string> =>
  text(description, example, { pattern: idPattern(example) });

/** A closed set, each value with its meaning; an empty meaning where the name says it. */
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

export const listOf = <Item>(
  type: Shape<Item>,
  description: string,
  csv: Pick<ShapeField<Item[]>, 'firstInCsv'> = {},
): ShapeField<Item[]> => ({
  type: () => type,
  isArray: true,
  description,
  ...csv,
});

export const nullable = <Value>(schema: SchemaOf<Value>, description: string): SchemaOf<Value | null> => ({
  description,
  oneOf: [schema, { type: 'null' }],
});

/** A small object without a name of its own. */
export const inline = <Type extends object>(
  description: string,
  fields: FieldsOf<Type, 'schema'>,
): SchemaOf<Type> => {
  const entries = Object.entries<SchemaOf<unknown> | Optional<unknown>>({ ...fields });
  const required = entries.flatMap(([field, given]) => (given instanceof Optional ? [] : [field]));
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(
      entries.map(([field, given]) => [
        field,
        (given instanceof Optional ? given.field : given) as JsonSchema,
      ]),
    ),
    ...(required.length > 0 && { required }),
  };
};

export const anyFields = (description: string, example: object): SchemaOf<Record<string, unknown>> => ({
  type: 'object',
  description,
  additionalProperties: true,
  examples: [example],
});

/** A page of a list (`docs/spec/lists.md#page`). */
export const pageOf = <Item>(name: string, item: Shape<Item>): Shape<ListPage<Item>> =>
  shape<ListPage<Item>>()(name, 'A page of a list.', {
    data: listOf(item, 'The items, in the order of `sort`.'),
    hasMore: yesOrNo('Whether there is a page after this one.'),
    nextCursor: nullableText(
      'Send it as `cursor` to get the next page; null on the last page.',
      'MmY0ZDE5YzYxYmE3YzE1ZS4yNQ',
    ),
    total: optional(
      integer('With `includeTotal=true`: the number of items in the list, exact up to 10,000.', 3, {
        minimum: 0,
        maximum: 10_000,
      }),
    ),
    totalIsAtLeast: optional(yesOrNo('True if the list has more than `total` items.')),
  });

function withMeanings(description: string, meanings: readonly (readonly [string, string])[]): string {
  const said = meanings.filter(([, meaning]) => meaning !== '');
  if (said.length === 0) return description;
  const rows = said.map(([value, meaning]) => `| \`${value}\` | ${meaning} |`);
  return [description, '', '| Value | Meaning |', '|---|---|', ...rows].join('\n');
}
