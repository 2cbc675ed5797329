import { createHash } from 'node:crypto';
import { DEFAULT_PAGE_SIZE, ErrorCode, MAX_PAGE_SIZE, type ErrorDetail } from '@tillstream/contracts';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { queryParameters } from './query.parameters.js';
import { received } from './received.text.js';

/** What a list can be asked (`decisions.md` 6). */
export interface ListRules {
  /** Enumerations by parameter: any of several values. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  /** Fields that it can be sorted by; left out: it has one order only. */
  readonly sorts?: readonly string[];
  readonly totals?: boolean;
  /** What a cursor holds good for: the list, and the id in its path. */
  readonly boundTo: string;
  /** Form of a place in the list. */
  readonly place: RegExp;
}

export interface ListQuery {
  readonly limit: number;
  /** Where the page begins, as `nextCursor` was given it; undefined: at the beginning. */
  readonly after: string | undefined;
  readonly filters: ReadonlyMap<string, readonly string[]>;
  readonly sort: { readonly field: string; readonly descending: boolean } | undefined;
  readonly includeTotal: boolean;
  nextCursor(place: string): string;
}

/** @throws ApiError 400 with every wrong parameter. */
export function listQuery(request: ApiRequest, rules: ListRules): ListQuery {
  const { filters = {}, sorts = [], totals = false, boundTo, place } = rules;
  const names = [
    'limit',
    'cursor',
    ...(sorts.length > 0 ? ['sort'] : []),
    ...(totals ? ['includeTotal'] : []),
  ];
  const { values, errors } = queryParameters(request, [...names, ...Object.keys(filters)]);
  const wrong = (field: string, value: unknown, allowed: string): void => {
    errors.push(invalidParameter(field, received(value), allowed));
  };
  const only = (name: string): string | undefined => {
    const [value, second] = values.get(name) ?? [];
    if (second !== undefined) errors.push(invalidParameter(name, 'received several values', 'one'));
    return value;
  };

  const limit = only('limit') ?? String(DEFAULT_PAGE_SIZE);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_PAGE_SIZE) {
    wrong('limit', limit, `1 to ${MAX_PAGE_SIZE} without leading zeros`);
  }
  const includeTotal = totals ? (only('includeTotal') ?? 'false') : 'false';
  if (includeTotal !== 'true' && includeTotal !== 'false')
    wrong('includeTotal', includeTotal, 'true or false');
  const chosen = new Map<string, readonly string[]>();
  for (const [name, allowed] of Object.entries(filters)) {
    const given = values.get(name);
    if (!given) continue;
    chosen.set(name, given);
    const bad = given.find((value) => !allowed.includes(value));
    if (bad !== undefined) wrong(name, bad, allowed.join(', '));
  }
  const sort = sorts.length > 0 ? (only('sort') ?? '-createdAt') : '';
  const field = sort.replace(/^-/, '');
  if (sorts.length > 0 && !sorts.includes(field)) {
    wrong('sort', sort, sorts.flatMap((one) => [one, `-${one}`]).join(', '));
  }
  const binding = bindingOf(boundTo, sort, chosen);
  const cursor = only('cursor');
  const after = cursor === undefined ? undefined : openedCursor(cursor, binding, place);
  if (cursor !== undefined && after === undefined)
    wrong('cursor', cursor, 'nextCursor of a page of this very list');
  if (errors.length > 0) throw invalidFields(errors);
  return {
    limit: Number(limit),
    after,
    filters: chosen,
    sort: sort === '' ? undefined : { field, descending: sort.startsWith('-') },
    includeTotal: includeTotal === 'true',
    nextCursor: (last) => Buffer.from(`${binding}.${last}`, 'utf8').toString('base64url'),
  };
}

/** Filters and sort that a cursor goes on with; in another list it means nothing. */
function bindingOf(boundTo: string, sort: string, filters: ReadonlyMap<string, readonly string[]>): string {
  const given = [...filters].map(([name, values]) => [name, [...new Set(values)].sort()]).sort();
  return createHash('sha256')
    .update(JSON.stringify([boundTo, sort, given]))
    .digest('hex')
    .slice(0, 16);
}

function openedCursor(cursor: string, binding: string, form: RegExp): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const place = text.slice(binding.length + 1);
  return text.startsWith(`${binding}.`) && form.test(place) ? place : undefined;
}

function invalidParameter(field: string, got: string, allowed: string): ErrorDetail {
  return {
    code: ErrorCode.RequestValidationGenericError,
    field,
    message: `The query parameter ${field} is invalid.`,
    details: `${got}, allowed ${allowed}`,
  };
}
