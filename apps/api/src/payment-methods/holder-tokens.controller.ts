import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { PAYMENT_METHOD_TYPES } from '@tillstream/contracts';
import type { RequestContext } from '@tillstream/payments';
import { Context } from '../access/request.decorators.js';
import { FindAccountHolder } from '../account-holders/account-holder.queries.js';
import { noHolder } from '../account-holders/account-holder.results.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonResponse } from '../http/json.response.js';
import { anyIn, anyOf, flag, time } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { CARD_TYPE } from './payment-method.responses.js';
import { ListTokensOfHolder } from './payment-method.queries.js';
import { HOLDER_TOKEN_ENDPOINTS } from './payment-methods.docs.js';

/** `docs/spec/lists.md#filters`. */
class HolderTokenListQuery extends listQuery({
  filters: {
    type: anyOf(PAYMENT_METHOD_TYPES),
    cardType: anyIn(CARD_TYPE),
    accountType: anyOf(['Credit', 'Debit', 'Checking', 'Savings']),
    createdFrom: time,
    createdTo: time,
    includeDeleted: flag,
  },
  sorts: ['createdAt', 'updatedAt'],
  totals: true,
  boundTo: ({ merchantId, id }) => `payment methods of ${merchantId} ${id}`,
}) {}

/** The stored cards and bank accounts of one person. */
@ApiTags('Payment methods')
@Controller('v1/payment-methods/account-holder')
@MerchantApi(HOLDER_TOKEN_ENDPOINTS)
export class HolderTokensController {
  constructor(private readonly queries: QueryBus) {}

  /** `id` is an `acc_` id or the merchant's external id. */
  @Get(':id')
  async listPaymentMethodsOfAccountHolder(
    @Context() { merchant }: RequestContext,
    @Param('id') id: string,
    @Query() query: HolderTokenListQuery,
  ): Promise<JsonResponse> {
    const holder = await this.queries.execute(new FindAccountHolder(merchant.id, id));
    if (!holder) throw noHolder();
    const request = query.request(merchant.id);
    const list = await this.queries.execute(new ListTokensOfHolder(request, holder.id));
    return query.page(list, (item) => JSON.stringify(item));
  }
}
