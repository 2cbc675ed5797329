import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CURRENCIES } from '@tillstream/contracts';
import type { RequestContext } from '@tillstream/payments';
import { Context } from '../access/request.decorators.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonResponse } from '../http/json.response.js';
import { anyOf } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { ListPaymentMethods } from './payment-method.queries.js';
import { PAYMENT_METHOD_ENDPOINTS } from './payment-methods.docs.js';

/** `docs/spec/lists.md#filters`. */
class PaymentMethodListQuery extends listQuery({
  filters: {
    type: anyOf(['Physical', 'Virtual', 'VirtualAch', 'VirtualEft']),
    currency: anyOf(CURRENCIES),
  },
  sorts: ['createdAt'],
  totals: true,
  boundTo: ({ merchantId }) => `payment methods of ${merchantId}`,
}) {}

/** The terminals and hosted forms that the merchant can use: disabled ones are not shown. */
@ApiTags('Payment methods')
@Controller('v1/payment-methods')
@MerchantApi(PAYMENT_METHOD_ENDPOINTS)
export class PaymentMethodsController {
  constructor(private readonly queries: QueryBus) {}

  /** Includes what any instance added a moment ago. */
  @Get()
  async listPaymentMethods(
    @Context() { merchant }: RequestContext,
    @Query() query: PaymentMethodListQuery,
  ): Promise<JsonResponse> {
    const list = await this.queries.execute(new ListPaymentMethods(query.request(merchant.id)));
    return query.page(list, ({ body }) => body);
  }
}
