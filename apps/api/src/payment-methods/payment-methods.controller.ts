import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CURRENCIES } from '@tillstream/contracts';
import type { ReadModelQueries } from '@tillstream/read-models';
import { Callers } from '../access/callers.js';
import { merchantOf } from '../access/caller.js';
import { LISTS } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { listAnswer } from '../http/list.answer.js';
import { MerchantEndpoint } from '../openapi/endpoint.js';
import { anyOf } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { KEY_PLACE, listRequest, placeOf } from '../validation/page.key.js';
import { PAYMENT_METHOD_ENDPOINTS } from './payment-methods.docs.js';

/** `docs/spec/lists.md#filters`. */
export const PAYMENT_METHOD_FILTERS = {
  type: anyOf(['Physical', 'Virtual', 'VirtualAch', 'VirtualEft']),
  currency: anyOf(CURRENCIES),
};

/** The terminals and hosted forms that the merchant can use: disabled ones are not shown. */
@ApiTags('Payment methods')
@Controller('v1/payment-methods')
@Callers('MerchantKey')
export class PaymentMethodsController {
  constructor(@Inject(LISTS) private readonly lists: ReadModelQueries) {}

  /** What was added a moment ago, on whatever instance, is there. */
  @Get()
  @MerchantEndpoint(PAYMENT_METHOD_ENDPOINTS.list, PAYMENT_METHOD_FILTERS)
  async list(@Req() request: ApiRequest): Promise<Answer> {
    const merchantId = merchantOf(request).id;
    const query = listQuery(request, {
      filters: PAYMENT_METHOD_FILTERS,
      sorts: ['createdAt'],
      totals: true,
      boundTo: `payment methods of ${merchantId}`,
      place: KEY_PLACE,
    });
    const { items, next, total } = await this.lists.paymentMethods.list(listRequest(merchantId, query));
    return listAnswer(
      items.map(({ body }) => body),
      { nextCursor: next && query.nextCursor(placeOf(next)), ...(total && { total }) },
    );
  }
}
