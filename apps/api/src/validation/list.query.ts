import { DEFAULT_PAGE_SIZE, ErrorCode, MAX_PAGE_SIZE, type ErrorDetail } from '@tillstream/contracts';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { bindingOf, openedCursor, writtenCursor } from './list.cursor.js';
import { flag, integer, MAX_VALUES, type Chosen, type Filter, type Filters } from './list.filters.js';
import { queryParameters } from './query.parameters.js';
import { received } from './received.text.js';

/** What a list can be asked (`docs/spec/lists.md#parameters`). */
export interface ListRules<Rules extends Filters, Sort extends string> {
  /** By the name of the parameter. */
  readonly filters?: Rules;
  /** Fields that it can be sorted by; left out: it has one order only. */
  readonly sorts?: readonly Sort[];
  readonly totals?: boolean;
  /** What a cursor holds good for: the list, whose it is, and the id in its path. */
  readonly boundTo: string;
  /** Form of a place in the list. */
  readonly place: RegExp;
}

export interface ListQuery<Rules extends Filters, Sort extends string> {
  readonly limit: number;
  /** Where the page begins, as `nextCursor` was given it; undefined: at the beginning. */
  readonly after: string | undefined;
  readonly filters: Chosen<Rules>;
  readonly sort: { readonly by: Sort; readonly descending: boolean } | undefined;
  readonly includeTotal: boolean;
  nextCursor(place: string): string;
}

const LIMIT = integer(1, MAX_PAGE_SIZE);
const NEWEST_FIRST = '-createdAt';

/** @throws ApiError 400 with every wrong parameter. */
export function listQuery<Rules extends Filters = Record<never, never>, Sort extends string = never>(
  request: ApiRequest,
  rules: ListRules<Rules, Sort>,
): ListQuery<Rules, Sort> {
  const { filters, sorts = [], totals = false, boundTo, place } = rules;
  const filterNames = Object.keys(filters ?? {});
  const asked = new Parameters(request, [
    'limit',
    'cursor',
    ...(sorts.length > 0 ? ['sort'] : []),
    ...(totals ? ['includeTotal'] : []),
    ...filterNames,
  ]);
  const limit = asked.one('limit', LIMIT) ?? DEFAULT_PAGE_SIZE;
  const includeTotal = totals && (asked.one('includeTotal', flag) ?? false);
  const chosen: Record<string, unknown> = {};
  for (const name of filterNames) {
    const filter = filters?.[name] as Filter<unknown>;
    const value = filter.many ? asked.many(name, filter) : asked.one(name, filter);
    if (value !== undefined) chosen[name] = value;
  }
  const sort = sorts.length > 0 ? (asked.one('sort', sortOf(sorts)) ?? NEWEST_FIRST) : '';
  const binding = bindingOf(boundTo, sort, chosen);
  const after = asked.one('cursor', {
    allowed: 'nextCursor of a page of this very list',
    many: false,
    read: (text) => openedCursor(text, binding, place),
  });
  if (asked.errors.length > 0) throw invalidFields(asked.errors);
  return {
    limit,
    after,
    filters: chosen as Chosen<Rules>,
    sort: sort === '' ? undefined : { by: sort.replace(/^-/, '') as Sort, descending: sort.startsWith('-') },
    includeTotal,
    nextCursor: (last) => writtenCursor(binding, last),
  };
}

function sortOf(sorts: readonly string[]): Filter<string, false> {
  const orders = sorts.flatMap((field) => [field, `-${field}`]);
  return { allowed: orders.join(', '), many: false, read: (text) => orders.find((order) => order === text) };
}

/** Reads parameters, and gathers what is wrong with them. */
class Parameters {
  readonly errors: ErrorDetail[];
  private readonly values: ReadonlyMap<string, readonly string[]>;

  constructor(request: ApiRequest, allowed: readonly string[]) {
    const { values, errors } = queryParameters(request, allowed);
    this.values = values;
    this.errors = errors;
  }

  one<Value>(name: string, kind: Filter<Value>): Value | undefined {
    const [text, second] = this.values.get(name) ?? [];
    if (text === undefined) return undefined;
    if (second !== undefined) {
      this.wrong(name, 'received several values', 'one');
      return undefined;
    }
    return this.read(name, text, kind);
  }

  /** Each once. */
  many<Value>(name: string, kind: Filter<Value>): readonly Value[] | undefined {
    const texts = this.values.get(name);
    if (!texts) return undefined;
    if (texts.length > MAX_VALUES) {
      this.wrong(name, `received ${texts.length} values`, `at most ${MAX_VALUES}`);
      return undefined;
    }
    const read: Value[] = [];
    for (const text of new Set(texts)) {
      const value = this.read(name, text, kind);
      if (value === undefined) return undefined;
      read.push(value);
    }
    return read;
  }

  private read<Value>(name: string, text: string, { allowed, read }: Filter<Value>): Value | undefined {
    const value = read(text);
    if (value === undefined) this.wrong(name, received(text), allowed);
    return value;
  }

  private wrong(field: string, got: string, allowed: string): void {
    this.errors.push({
      code: ErrorCode.RequestValidationGenericError,
      field,
      message: `The query parameter ${field} is invalid.`,
      details: `${got}, allowed ${allowed}`,
    });
  }
}
