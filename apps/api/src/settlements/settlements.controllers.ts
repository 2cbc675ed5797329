import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '@tillstream/payments';
import { Context } from '../access/caller.js';
import { notFound } from '../http/api.error.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonPage } from '../http/json.page.js';
import { JsonResponse } from '../http/json.response.js';
import {
  FeeChargeListQuery,
  SettledTransactionListQuery,
  SettlementListQuery,
} from './settlement.filters.js';
import { FEE_CHARGE_ENDPOINTS, SETTLEMENT_ENDPOINTS } from './settlements.docs.js';
import {
  FindSettlement,
  ListFeeCharges,
  ListSettledTransactions,
  ListSettlements,
} from './settlements.handlers.js';

/** What is paid out for a merchant's closed batches (`docs/spec/settlement.md#settlements`). */
@ApiTags('Settlements')
@Controller('v1/settlements')
@MerchantApi(SETTLEMENT_ENDPOINTS)
export class SettlementsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  async listSettlements(
    @Context() { merchant }: RequestContext,
    @Query() query: SettlementListQuery,
  ): Promise<JsonPage> {
    const list = await this.queries.execute(new ListSettlements(query.request(merchant.id)));
    return query.page(list, ({ body }) => body);
  }

  @Get('transactions')
  async listSettledTransactions(
    @Context() { merchant }: RequestContext,
    @Query() query: SettledTransactionListQuery,
  ): Promise<JsonPage> {
    const list = await this.queries.execute(new ListSettledTransactions(query.request(merchant.id)));
    return query.page(list, ({ body }) => body);
  }

  @Get(':id')
  async getSettlement(
    @Context() { merchant }: RequestContext,
    @Param('id') id: string,
  ): Promise<JsonResponse> {
    const text = await this.queries.execute(new FindSettlement(merchant.id, id));
    if (text === undefined) throw notFound('There is no such settlement.');
    return new JsonResponse(200, text);
  }
}

/** What the merchant pays for its payments (`docs/spec/settlement.md#fee-charges`). */
@ApiTags('Settlements')
@Controller('v1/fee-charges')
@MerchantApi(FEE_CHARGE_ENDPOINTS)
export class FeeChargesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  async listFeeCharges(
    @Context() { merchant }: RequestContext,
    @Query() query: FeeChargeListQuery,
  ): Promise<JsonPage> {
    const list = await this.queries.execute(new ListFeeCharges(query.request(merchant.id)));
    return query.page(list, ({ body }) => body);
  }
}
