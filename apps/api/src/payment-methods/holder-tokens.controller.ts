import { Controller, Get, Param, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { PAYMENT_METHOD_TYPES } from '@tillstream/contracts';
import { Callers } from '../access/callers.js';
import { merchantOf } from '../access/caller.js';
import { noHolder } from '../account-holders/account-holder.answer.js';
import { FindAccountHolder, ListTokensOfHolder } from '../account-holders/account-holder.queries.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { listAnswer } from '../http/list.answer.js';
import { MerchantEndpoint } from '../openapi/endpoint.js';
import { anyCardType } from '../transactions/transaction.filters.js';
import { anyOf, flag, time } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { KEY_PLACE, listRequest, placeOf } from '../validation/page.key.js';
import { HOLDER_TOKEN_ENDPOINTS } from './payment-methods.docs.js';

/** `docs/spec/lists.md#filters`. */
export const HOLDER_TOKEN_FILTERS = {
  type: anyOf(PAYMENT_METHOD_TYPES),
  cardType: anyCardType,
  accountType: anyOf(['Credit', 'Debit', 'Checking', 'Savings']),
  createdFrom: time,
  createdTo: time,
  includeDeleted: flag,
};

/** The stored cards and bank accounts of one person. */
@ApiTags('Payment methods')
@Controller('v1/payment-methods/account-holder')
@Callers('MerchantKey')
export class HolderTokensController {
  constructor(private readonly queries: QueryBus) {}

  /** `id` is an `acc_` id or the merchant's external id. */
  @Get(':id')
  @MerchantEndpoint(HOLDER_TOKEN_ENDPOINTS.list, HOLDER_TOKEN_FILTERS)
  async list(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const merchantId = merchantOf(request).id;
    const query = listQuery(request, {
      filters: HOLDER_TOKEN_FILTERS,
      sorts: ['createdAt', 'updatedAt'],
      totals: true,
      boundTo: `payment methods of ${merchantId} ${id}`,
      place: KEY_PLACE,
    });
    const holder = await this.queries.execute(new FindAccountHolder(merchantId, id));
    if (!holder) throw noHolder();
    const { items, next, total } = await this.queries.execute(
      new ListTokensOfHolder(listRequest(merchantId, query), holder.id),
    );
    const nextCursor = next && query.nextCursor(placeOf(next));
    return listAnswer(
      items.map((one) => JSON.stringify(one)),
      { nextCursor, ...(total && { total }) },
    );
  }
}
