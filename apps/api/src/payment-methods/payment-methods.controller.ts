import { Controller, Get, Inject, Req } from '@nestjs/common';
import { CURRENCIES, type ListPage, type PaymentMethodListItem } from '@tillstream/contracts';
import type { PaymentMethod } from '@tillstream/domain';
import type { Directory } from '@tillstream/payments';
import { paymentMethodListItem } from '@tillstream/presentation';
import { ForMerchants } from '../access/audience.js';
import { merchantOf } from '../access/caller.js';
import { DIRECTORY } from '../api.parts.js';
import type { ApiRequest } from '../http/api.request.js';
import { anyOf } from '../validation/list.filters.js';
import { listQuery, type ListQuery } from '../validation/list.query.js';

type Query = ListQuery<typeof FILTERS, 'createdAt'>;

const FILTERS = {
  type: anyOf(['Physical', 'Virtual', 'VirtualAch', 'VirtualEft']),
  currency: anyOf(CURRENCIES),
};

/** The terminals and hosted forms that the merchant can use: disabled ones are not shown. */
@Controller('v1/payment-methods')
@ForMerchants()
export class PaymentMethodsController {
  constructor(@Inject(DIRECTORY) private readonly directory: Directory) {}

  /** Read anew: what was added a moment ago, on whatever instance, is there. */
  @Get()
  async list(@Req() request: ApiRequest): Promise<ListPage<PaymentMethodListItem>> {
    const query = listQuery(request, {
      filters: FILTERS,
      sorts: ['createdAt'],
      totals: true,
      boundTo: 'payment methods',
      place: /^\S+ pmt_\w+$/,
    });
    const { id, paymentMethods } = merchantOf(request);
    const fresh = await this.directory.freshMerchant(id);
    const all = inOrder(fresh?.paymentMethods ?? paymentMethods, query);
    const rest = all.filter(
      (one) => query.after === undefined || comesAfter(placeOf(one), query.after, query),
    );
    const page = rest.slice(0, query.limit);
    const last = page.at(-1);
    const hasMore = rest.length > page.length;
    return {
      data: page.map(paymentMethodListItem),
      hasMore,
      nextCursor: hasMore && last ? query.nextCursor(placeOf(last)) : null,
      ...(query.includeTotal && { total: all.length }),
    };
  }
}

function inOrder(methods: readonly PaymentMethod[], { filters, sort }: Query): PaymentMethod[] {
  const shown = methods.filter(
    ({ type, currency, disabled }) =>
      !disabled && (filters.type?.includes(type) ?? true) && (filters.currency?.includes(currency) ?? true),
  );
  return shown.sort((a, b) => (comesAfter(placeOf(a), placeOf(b), { sort }) ? 1 : -1));
}

function comesAfter(place: string, other: string, { sort }: Pick<Query, 'sort'>): boolean {
  return sort?.descending ? place < other : place > other;
}

/** Equal times are ordered by id. */
function placeOf({ createdAt, id }: PaymentMethod): string {
  return `${createdAt} ${id}`;
}
