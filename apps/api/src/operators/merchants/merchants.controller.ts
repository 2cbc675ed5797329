import { Body, Controller, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { MERCHANT_STATUSES, type Merchant } from '@tillstream/contracts';
import { merchantShape } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import type { JsonPage } from '../../http/json.page.js';
import { anyOf } from '../../validation/list.filters.js';
import { listQuery } from '../../validation/list.query.js';
import { MERCHANT_DEFAULTS, MerchantChangeDto, NewMerchantDto, ReasonDto } from './merchants.dto.js';
import { found, MerchantErrors, merchantIdOf } from './merchants.errors.js';
import {
  ChangeMerchant,
  CreateMerchant,
  FindMerchant,
  ListMerchants,
  SetMerchantDisabled,
} from './merchants.handlers.js';
import { MERCHANT_ENDPOINTS } from './merchants.docs.js';

class MerchantListQuery extends listQuery({
  filters: { status: anyOf(MERCHANT_STATUSES) },
  sorts: ['createdAt', 'updatedAt'],
  totals: true,
  boundTo: () => 'merchants',
}) {}

/** The merchants of this service, for its operators (`docs/spec/operators.md#merchants`). */
@ApiTags('Merchants')
@Controller('admin/v1/merchants')
@OperatorApi(MERCHANT_ENDPOINTS)
@UseInterceptors(MerchantErrors)
export class MerchantsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  async createMerchant(
    @Operator() operator: OperatorRequest,
    @Body() body: NewMerchantDto,
  ): Promise<Merchant> {
    const settings = { ...MERCHANT_DEFAULTS, ...body };
    return merchantShape(await this.commands.execute(new CreateMerchant(operator, settings)));
  }

  @Get()
  async listMerchants(@Query() query: MerchantListQuery): Promise<JsonPage> {
    const list = await this.queries.execute(new ListMerchants(query.request()));
    return query.page(list, ({ body }) => body);
  }

  @Get(':id')
  async getMerchant(@Param('id') id: string): Promise<Merchant> {
    return merchantShape(found(await this.queries.execute(new FindMerchant(merchantIdOf(id)))));
  }

  @Put(':id')
  async updateMerchant(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() body: MerchantChangeDto,
  ): Promise<Merchant> {
    return merchantShape(await this.commands.execute(new ChangeMerchant(operator, merchantIdOf(id), body)));
  }

  /** The merchant's keys stop within 2 s, on every instance; operations that have started go on. */
  @Post(':id/disable')
  disableMerchant(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
  ): Promise<Merchant> {
    return this.setDisabled(operator, id, { disabled: true, reason });
  }

  @Post(':id/enable')
  enableMerchant(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
  ): Promise<Merchant> {
    return this.setDisabled(operator, id, { disabled: false, reason });
  }

  private async setDisabled(
    operator: OperatorRequest,
    id: string,
    change: ConstructorParameters<typeof SetMerchantDisabled>[2],
  ): Promise<Merchant> {
    const command = new SetMerchantDisabled(operator, merchantIdOf(id), change);
    return merchantShape(await this.commands.execute(command));
  }
}
