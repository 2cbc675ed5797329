import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { listAnswer } from '../http/list.answer.js';
import type { Chosen, Filters } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { KEY_PLACE, placeOf } from '../validation/page.key.js';

interface Listed {
  readonly id: string;
  readonly createdAt: string;
}

interface WholeList<Item extends Listed, Rules extends Filters> {
  readonly filters: Rules;
  /** The list and whose it is. */
  readonly boundTo: string;
  /** Asked once the question was found good. */
  all(chosen: Chosen<Rules>): Promise<readonly Item[]>;
  shown(item: Item): object;
}

/** A page of what one stream holds and is in memory as a whole: a merchant's keys, its payment methods, admin keys. */
export async function pageOfWhole<Item extends Listed, Rules extends Filters>(
  request: ApiRequest,
  { filters, boundTo, all, shown }: WholeList<Item, Rules>,
): Promise<Answer> {
  const query = listQuery(request, {
    filters,
    sorts: ['createdAt'],
    totals: true,
    boundTo,
    place: KEY_PLACE,
  });
  const direction = query.sort?.descending === false ? 1 : -1;
  const place = (item: Item): Place => ({ value: Date.parse(item.createdAt), id: item.id });
  const compared = (a: Place, b: Place): number =>
    direction * (a.value - b.value || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const items = [...(await all(query.filters))].sort((a, b) => compared(place(a), place(b)));
  const after = query.after === undefined ? undefined : placeAt(query.after);
  const rest = after ? items.filter((item) => compared(place(item), after) > 0) : items;
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  const nextCursor = last && rest.length > page.length ? query.nextCursor(placeOf(place(last))) : null;
  return listAnswer(
    page.map((item) => JSON.stringify(shown(item))),
    { nextCursor, ...(query.includeTotal && { total: { count: items.length, isAtLeast: false } }) },
  );
}

interface Place {
  readonly value: number;
  readonly id: string;
}

function placeAt(place: string): Place {
  const [value = '', id = ''] = place.split(' ');
  return { value: Number(value), id };
}
