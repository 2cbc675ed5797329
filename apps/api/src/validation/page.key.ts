import type { ListRequest, PageKey } from '@tillstream/read-models';
import type { Chosen, Filters } from './list.filters.js';
import type { ListQuery } from './list.query.js';

/* A place in a list of the read models, as text for a cursor: the value that the list is sorted by, and the id. */

export const KEY_PLACE = /^-?\d{1,15} [\x21-\x7e]{1,64}$/;

export function placeOf({ value, id }: PageKey): string {
  return `${value} ${id}`;
}

/** What was asked of a list, as the read models take it; its places are of the form `KEY_PLACE`. */
export function listRequest<Rules extends Filters, Sort extends string>(
  merchantId: string,
  { filters, sort, after, limit, includeTotal }: ListQuery<Rules, Sort>,
): ListRequest<Chosen<Rules>, Sort> {
  return {
    merchantId,
    filters,
    ...(sort && { sort }),
    ...(after !== undefined && { after: keyOf(after) }),
    limit,
    includeTotal,
  };
}

function keyOf(place: string): PageKey {
  const [value = '', id = ''] = place.split(' ');
  return { value: Number(value), id };
}
