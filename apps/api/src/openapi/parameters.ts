import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '@tillstream/contracts';
import type { JsonSchema } from '../validation/json.schema.js';
import { MAX_VALUES, type Filters } from '../validation/list.filters.js';
import { component } from './component.js';
import { SAMPLE_TRACE_ID } from './samples.js';

/* Parameters of requests. Those of lists come from the very filters that read them. */

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  /** Of what is required only: whoever tries the API out gets it filled in. A schema's own examples are for reading. */
  readonly example?: unknown;
}

/** What of a list's filter its rules don't say. */
export interface FilterText {
  readonly description: string;
  readonly example: unknown;
}

export interface ListText {
  readonly filters: Filters;
  readonly texts: Readonly<Record<string, FilterText>>;
  readonly sorts: readonly string[];
  readonly totals: boolean;
}

/** A list and texts for each of its filters: one without a text does not compile. */
export function listText<Rules extends Filters>(
  filters: Rules,
  texts: Readonly<Record<keyof Rules & string, FilterText>>,
  { sorts = [], totals = false }: { readonly sorts?: readonly string[]; readonly totals?: boolean } = {},
): ListText {
  return { filters, texts, sorts, totals };
}

export const TRACEPARENT = component('parameters', 'Traceparent', {
  name: 'traceparent',
  in: 'header',
  description: 'W3C trace context. Its trace id becomes that of the request; a bad one is passed over.',
  schema: { type: 'string', examples: [`00-${SAMPLE_TRACE_ID}-00f067aa0ba902b7-01`] },
} satisfies Parameter);

export const IDEMPOTENCY_KEY = component('parameters', 'IdempotencyKey', {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to send the request again: the same key with the same method, path and body gives the first ' +
    'answer again, with `idempotent-replayed: true`. Kept for 24 hours, and never less than until the outcome is known.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x20-\\x7e]+$',
    examples: ['order-1001-payment-1'],
  },
} satisfies Parameter);

export const ACTOR = component('parameters', 'Actor', {
  name: 'x-actor',
  in: 'header',
  description:
    'Who makes the change, for the record: a name in UTF-8. Left out, it is the name of the admin key.',
  schema: { type: 'string', minLength: 1, maxLength: 100, examples: ['Dana Field'] },
} satisfies Parameter);

export const pathParameter = (description: string, schema: JsonSchema, example: string) => ({
  description,
  schema: { type: 'string', ...schema } satisfies JsonSchema,
  example,
});
export type PathParameter = ReturnType<typeof pathParameter>;

const LIMIT = component('parameters', 'Limit', {
  name: 'limit',
  in: 'query',
  description: 'Items of a page; it may change between pages.',
  schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE },
} satisfies Parameter);

const CURSOR = component('parameters', 'Cursor', {
  name: 'cursor',
  in: 'query',
  description:
    '`nextCursor` of the page before. It belongs to the filters and the sort that it was given for.',
  schema: { type: 'string', minLength: 1 },
} satisfies Parameter);

const INCLUDE_TOTAL = component('parameters', 'IncludeTotal', {
  name: 'includeTotal',
  in: 'query',
  description: 'Whether to count them all.',
  schema: { type: 'boolean', default: false },
} satisfies Parameter);

/** @throws Error where a filter has no schema. */
export function listParameters({ filters, texts, sorts, totals }: ListText): readonly object[] {
  return [
    LIMIT,
    CURSOR,
    ...(sorts.length > 0 ? [sortOf(sorts)] : []),
    ...(totals ? [INCLUDE_TOTAL] : []),
    ...Object.entries(filters).map(([name, { schema, many }]) => {
      const { description, example } = texts[name] ?? {};
      if (!schema || description === undefined) throw new Error(`the filter ${name} is not described`);
      return {
        name,
        in: 'query',
        description: many ? `${description} Given several times: any of the values.` : description,
        schema: many
          ? { type: 'array', items: schema, minItems: 1, maxItems: MAX_VALUES, examples: [[example]] }
          : { ...schema, examples: [example] },
        ...(many && { style: 'form', explode: true }),
      };
    }),
  ];
}

function sortOf(sorts: readonly string[]): Parameter {
  return {
    name: 'sort',
    in: 'query',
    description: 'The order of the list, `-` for descending; equal values are ordered by `id`.',
    schema: {
      type: 'string',
      enum: sorts.flatMap((field) => [field, `-${field}`]),
      default: '-createdAt',
    },
  };
}
