import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CURRENCIES, PAYMENT_METHOD_TYPES } from '@tillstream/contracts';
import type { RequestContext, TokenResult } from '@tillstream/payments';
import { Context } from '../access/caller.js';
import { noHolder } from '../account-holders/account-holder.results.js';
import { VirtualTokenDto } from '../hosted-form/opening/virtual-request.dto.js';
import { MerchantApi, Operation } from '../http/endpoint.decorators.js';
import type { JsonPage } from '../http/json.page.js';
import { OperationBus } from '../metrics/operation.bus.js';
import { anyIn, anyOf, flag, time } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { CARD_TYPE } from './payment-method.responses.js';
import { HOLDER_TOKEN_ENDPOINTS, PAYMENT_METHOD_ENDPOINTS, TOKEN_ENDPOINTS } from './payment-methods.docs.js';
import { ListPaymentMethods, ListTokensOfHolder } from './payment-methods.handlers.js';
import { ChangeTokenDto, StoreCardDto } from './token.dto.js';
import { RemoveToken, StoreCardFromTerminal, StoreCardThroughForm, UpdateToken } from './tokens.handlers.js';

/* The filters of the lists: `docs/spec/lists.md#filters`. */

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
  ): Promise<JsonPage> {
    const list = await this.queries.execute(new ListPaymentMethods(query.request(merchant.id)));
    return query.page(list, ({ body }) => body);
  }
}

const ofPath = ['TokenNotFound', 'TokenNotFinished'] as const;

/** Stored cards, by operations that are listed and read like those that move money (`docs/spec/endpoints.md#merchant-api`). */
@ApiTags('Payment methods')
@Controller('v1/payment-methods')
@MerchantApi(TOKEN_ENDPOINTS)
export class TokensController {
  constructor(private readonly operations: OperationBus) {}

  @Post('physical')
  @Operation()
  storeCardFromTerminal(
    @Context() context: RequestContext,
    @Body() body: StoreCardDto,
  ): Promise<TokenResult> {
    return this.operations.execute(new StoreCardFromTerminal(context, body));
  }

  @Post('virtual')
  @Operation()
  storeCardThroughForm(
    @Context() context: RequestContext,
    @Body() body: VirtualTokenDto,
  ): Promise<TokenResult> {
    return this.operations.execute(new StoreCardThroughForm(context, body));
  }

  @Put('token/:id')
  @Operation({ ofPath })
  updateToken(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() body: ChangeTokenDto,
  ): Promise<TokenResult> {
    return this.operations.execute(new UpdateToken(context, id, body));
  }

  @Delete('token/:id')
  @Operation({ ofPath })
  removeToken(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<TokenResult> {
    return this.operations.execute(new RemoveToken(context, id));
  }
}

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
  ): Promise<JsonPage> {
    const request = query.request(merchant.id);
    const list = await this.queries.execute(new ListTokensOfHolder(merchant.id, id, request));
    if (!list) throw noHolder();
    return query.page(list, (item) => JSON.stringify(item));
  }
}
