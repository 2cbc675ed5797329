import {
  DEFAULT_PAGE_SIZE,
  ErrorCode,
  MAX_PAGE_SIZE,
  type ErrorDetail,
  type ListPage,
} from '@tillstream/contracts';
import type { List, ListRequest, PageKey } from '@tillstream/read-models';
import { invalidFields } from '../http/api.error.js';
import { JsonPage } from '../http/json.page.js';
import type { ReceivedQuery } from '../http/received.query.js';
import { bindingOf, openedCursor, writtenCursor } from './list.cursor.js';
import { flag, integer, MAX_VALUES, type Chosen, type Filter, type Filters } from './list.filters.js';
import { received } from './received.text.js';

/** The parameters of a list (`docs/spec/lists.md#parameters`). */
export interface ListRules<Rules extends Filters, Sort extends string> {
  /** By the name of the parameter. */
  readonly filters?: Rules;
  /** Fields that it can be sorted by; left out: it has one order only. */
  readonly sorts?: readonly Sort[];
  readonly totals?: boolean;
  /** What a cursor belongs to: the list, its merchant and the id in its path. It is hashed into each cursor. */
  readonly boundTo: (query: Pick<ReceivedQuery, 'merchantId' | 'id'>) => string;
  /** Form of a cursor's place in the list. Default: a `PageKey`. */
  readonly place?: RegExp;
}

/** Place of a list in memory: the index of its next item. */
export const INDEX = /^\d{1,9}$/;
const KEY = /^-?\d{1,15} [\x21-\x7e]{1,64}$/;

type NoFilters = Record<never, never>;

/** `rules`: the description of the API reads them. */
export interface ListQueryClass<Rules extends Filters, Sort extends string> {
  new (query: ReceivedQuery): ListQuery<Rules, Sort>;
  readonly rules: ListRules<Rules, Sort>;
}

export function isListQuery(type: unknown): type is ListQueryClass<Filters, string> {
  return typeof type === 'function' && type.prototype instanceof ListQuery;
}

/** For a class of its own: `class MerchantListQuery extends listQuery({ … }) {}`, which `@Query()` of a method declares. */
export function listQuery<Rules extends Filters = NoFilters, Sort extends string = never>(
  rules: ListRules<Rules, Sort>,
): ListQueryClass<Rules, Sort> {
  return class extends ListQuery<Rules, Sort> {
    static readonly rules = rules;

    constructor(query: ReceivedQuery) {
      super(query, rules);
    }
  };
}

const LIMIT = integer(1, MAX_PAGE_SIZE);
const NEWEST_FIRST = '-createdAt';

/** The query of a list, read and validated. */
export class ListQuery<Rules extends Filters, Sort extends string> {
  readonly limit: number;
  /** The place that `nextCursor` was made from; undefined: the page starts with the first item. */
  readonly after: string | undefined;
  readonly filters: Chosen<Rules>;
  readonly sort: { readonly by: Sort; readonly descending: boolean } | undefined;
  readonly includeTotal: boolean;
  private readonly binding: string;

  /** @throws ApiError 400 with every wrong parameter */
  constructor(
    query: ReceivedQuery,
    { filters = {} as Rules, sorts = [], totals = false, boundTo, place = KEY }: ListRules<Rules, Sort>,
  ) {
    const parameters = new Parameters(query, [
      'limit',
      'cursor',
      ...(sorts.length > 0 ? ['sort'] : []),
      ...(totals ? ['includeTotal'] : []),
      ...Object.keys(filters),
    ]);
    this.limit = parameters.one('limit', LIMIT) ?? DEFAULT_PAGE_SIZE;
    this.includeTotal = totals && (parameters.one('includeTotal', flag) ?? false);
    const chosen = parameters.filters(filters);
    this.filters = chosen as Chosen<Rules>;
    const sort = sorts.length > 0 ? (parameters.one('sort', sortOf(sorts)) ?? NEWEST_FIRST) : '';
    this.sort =
      sort === '' ? undefined : { by: sort.replace(/^-/, '') as Sort, descending: sort.startsWith('-') };
    this.binding = bindingOf(boundTo(query), sort, chosen);
    this.after = parameters.one('cursor', {
      allowed: 'nextCursor of a page of this very list',
      many: false,
      read: (text) => openedCursor(text, this.binding, place),
    });
    if (parameters.errors.length > 0) throw invalidFields(parameters.errors);
  }

  nextCursor(place: string): string {
    return writtenCursor(this.binding, place);
  }

  /** For a list of the read models. An operator's list has no merchant. */
  request(merchantId = ''): ListRequest<Chosen<Rules>, Sort> {
    const { filters, sort, limit, includeTotal, afterKey } = this;
    return {
      merchantId,
      filters,
      ...(sort && { sort }),
      ...(afterKey && { after: afterKey }),
      limit,
      includeTotal,
    };
  }

  /** `text`: JSON of an item. */
  page<Item>({ items, next, total }: List<Item>, text: (item: Item) => string): JsonPage {
    return new JsonPage(items.map(text), {
      hasMore: next !== null,
      nextCursor: next && this.nextCursor(`${next.value} ${next.id}`),
      ...(total && { total: total.count }),
      ...(total?.isAtLeast === true && { totalIsAtLeast: true }),
    });
  }

  /** Index of the first item; the list's `place` is `INDEX`. */
  get offset(): number {
    return Number(this.after ?? 0);
  }

  /** The page of a list that is in memory as a whole, in its own order. */
  slice<Item>(all: readonly Item[]): ListPage<Item> {
    const end = this.offset + this.limit;
    const nextCursor = end < all.length ? this.nextCursor(String(end)) : null;
    return { data: all.slice(this.offset, end), hasMore: nextCursor !== null, nextCursor };
  }

  /**
   * A part of a list that is in memory as a whole, by the time of creation: what one stream holds, as the keys of a
   * merchant.
   */
  sorted<Item extends { readonly id: string; readonly createdAt: string }>(
    all: readonly Item[],
    shown: (item: Item) => object,
  ): JsonPage {
    const direction = this.sort?.descending === false ? 1 : -1;
    const key = ({ createdAt, id }: Item): PageKey => ({ value: Date.parse(createdAt), id });
    const compare = (a: PageKey, b: PageKey): number =>
      direction * (a.value - b.value || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const after = this.afterKey;
    const ordered = [...all].sort((a, b) => compare(key(a), key(b)));
    const rest = after ? ordered.filter((item) => compare(key(item), after) > 0) : ordered;
    const part = rest.slice(0, this.limit);
    const last = part.at(-1);
    const next = last && rest.length > part.length ? key(last) : null;
    const total = this.includeTotal && { total: { count: all.length, isAtLeast: false } };
    return this.page({ items: part, next, ...total }, (item) => JSON.stringify(shown(item)));
  }

  private get afterKey(): PageKey | undefined {
    if (this.after === undefined) return undefined;
    const [value = '', id = ''] = this.after.split(' ');
    return { value: Number(value), id };
  }
}

function sortOf(sorts: readonly string[]): Filter<string, false> {
  const orders = sorts.flatMap((field) => [field, `-${field}`]);
  return { allowed: orders.join(', '), many: false, read: (text) => orders.find((order) => order === text) };
}

/** Reads parameters and collects their errors. */
class Parameters {
  readonly errors: ErrorDetail[];
  private readonly values: ReadonlyMap<string, readonly string[]>;

  constructor(query: ReceivedQuery, allowed: readonly string[]) {
    const { values, errors } = query.parameters(allowed);
    this.values = values;
    this.errors = errors;
  }

  one<Value>(name: string, filter: Filter<Value>): Value | undefined {
    const texts = this.values.get(name) ?? [];
    if (texts.length > 1) this.wrong(name, 'received several values', 'one');
    return texts.length === 1 ? this.read(name, texts[0] ?? '', filter) : undefined;
  }

  /** Each once. Undefined: the parameter was not sent, or a value is wrong. */
  many<Value>(name: string, filter: Filter<Value>): readonly Value[] | undefined {
    const texts = this.values.get(name);
    if (!texts) return undefined;
    if (texts.length > MAX_VALUES) {
      this.wrong(name, `received ${texts.length} values`, `at most ${MAX_VALUES}`);
      return undefined;
    }
    const read: Value[] = [];
    for (const text of new Set(texts)) {
      const value = this.read(name, text, filter);
      if (value === undefined) return undefined;
      read.push(value);
    }
    return read;
  }

  /** The values that were sent, by the name of the filter. */
  filters(filters: Filters): Record<string, unknown> {
    const values = Object.entries(filters).map(([name, filter]) => [
      name,
      filter.many ? this.many(name, filter) : this.one(name, filter),
    ]);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
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
