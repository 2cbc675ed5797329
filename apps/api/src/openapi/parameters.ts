import { ApiHeader, ApiParam, ApiQuery, type ApiParamOptions, type ApiQueryOptions } from '@nestjs/swagger';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '@tillstream/contracts';
import type { JsonSchema } from '../validation/json.schema.js';
import { MAX_VALUES, type Filters } from '../validation/list.filters.js';
import type { ListRules } from '../validation/list.query.js';
import { componentMark } from './component.js';
import { idPattern, SAMPLE_TRACE_ID } from './samples.js';

/* Parameters of requests. Those of lists come from the filters that read them. */

const shared = (name: string) => ({ extensions: componentMark(`parameters/${name}`) });

export const TRACEPARENT = ApiHeader({
  ...shared('Traceparent'),
  name: 'traceparent',
  description: 'W3C trace context. Its trace id becomes that of the request; an invalid one is ignored.',
  schema: { type: 'string', examples: [`00-${SAMPLE_TRACE_ID}-00f067aa0ba902b7-01`] },
});

export const IDEMPOTENCY_KEY = ApiHeader({
  ...shared('IdempotencyKey'),
  name: 'Idempotency-Key',
  description:
    'Makes it safe to send the request again: the same key with the same method, path and body gets the first ' +
    'response again, with `idempotent-replayed: true`. Kept for 24 hours, and at least until the outcome is known.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x20-\\x7e]+$',
    examples: ['order-1001-payment-1'],
  },
});

export const ACTOR = ApiHeader({
  ...shared('Actor'),
  name: 'x-actor',
  description: 'The name in UTF-8 that the change is recorded with. Left out: the name of the admin key.',
  schema: { type: 'string', minLength: 1, maxLength: 100, examples: ['Dana Field'] },
});

export interface PathParameter {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** `example`: filled in for a reader who tries the API out. A schema's `examples` are for reading only. */
export const pathParameter = (description: string, schema: JsonSchema, example: string): PathParameter => ({
  description,
  schema: { type: 'string', ...schema, example } as JsonSchema,
});

/** Of an id: a prefix and 26 characters. */
export const idParameter = (description: string, example: string): PathParameter =>
  pathParameter(description, { pattern: idPattern(example) }, example);

export const pathDecorator = (name: string, parameter: PathParameter): MethodDecorator =>
  ApiParam({ name, ...parameter } as ApiParamOptions);

export interface FilterText {
  readonly description: string;
  readonly example: unknown;
}

export type FilterTexts = Readonly<Record<string, FilterText>>;

/** @throws Error where a filter has no text or no schema, or a text has no filter. */
export function listDecorators(
  { filters = {}, sorts = [], totals = false }: ListRules<Filters, string>,
  texts: FilterTexts = {},
): readonly MethodDecorator[] {
  const stray = Object.keys(texts).find((name) => !(name in filters));
  if (stray !== undefined) throw new Error(`there is no filter ${stray}`);
  const all = [
    LIMIT,
    CURSOR,
    ...(sorts.length > 0 ? [sortParameter(sorts)] : []),
    ...(totals ? [INCLUDE_TOTAL] : []),
    ...Object.entries(filters).map(([name, { schema, many }]) => {
      const { description, example } = texts[name] ?? {};
      if (!schema || description === undefined) throw new Error(`the filter ${name} is not described`);
      return {
        name,
        description: many ? `${description} Given several times: any of the values.` : description,
        schema: many
          ? { type: 'array', items: schema, minItems: 1, maxItems: MAX_VALUES, examples: [[example]] }
          : { ...schema, examples: [example] },
        ...(many && { style: 'form', explode: true }),
      };
    }),
  ];
  return all.map((parameter) => ApiQuery({ required: false, ...parameter } as ApiQueryOptions));
}

const LIMIT = {
  ...shared('Limit'),
  name: 'limit',
  description: 'Items of a page; it may change between pages.',
  schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE },
};

const CURSOR = {
  ...shared('Cursor'),
  name: 'cursor',
  description: '`nextCursor` of the page before. It is valid only with the same filters and sort.',
  schema: { type: 'string', minLength: 1 },
};

const INCLUDE_TOTAL = {
  ...shared('IncludeTotal'),
  name: 'includeTotal',
  description: 'Whether to count all items of the list.',
  schema: { type: 'boolean', default: false },
};

const sortParameter = (sorts: readonly string[]) => ({
  name: 'sort',
  description: 'The order of the list, `-` for descending; equal values are ordered by `id`.',
  schema: {
    type: 'string',
    enum: sorts.flatMap((field) => [field, `-${field}`]),
    default: `-${sorts[0]}`,
  },
});
