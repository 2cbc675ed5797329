import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { AccountHolder } from '@tillstream/contracts';
import type { RequestContext } from '@tillstream/payments';
import { Context } from '../access/caller.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonPage } from '../http/json.page.js';
import { anyText } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { AccountHolderChangeDto, NewAccountHolderDto } from './account-holder.dto.js';
import { holderResult, noHolder, shownHolder } from './account-holder.results.js';
import { ACCOUNT_HOLDER_ENDPOINTS } from './account-holders.docs.js';
import {
  ChangeAccountHolder,
  CreateAccountHolder,
  EraseAccountHolder,
  FindAccountHolder,
  ListAccountHolders,
} from './account-holders.handlers.js';

class AccountHolderListQuery extends listQuery({
  filters: { externalId: anyText(100) },
  sorts: ['createdAt', 'updatedAt'],
  totals: true,
  boundTo: ({ merchantId }) => `account holders of ${merchantId}`,
}) {}

/**
 * The persons behind stored cards (`docs/spec/payment-methods.md#account-holders`). In a path `id` is an `acc_` id or
 * the merchant's external id.
 */
@ApiTags('Account holders')
@Controller('v1/account-holders')
@MerchantApi(ACCOUNT_HOLDER_ENDPOINTS)
export class AccountHoldersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  async createAccountHolder(
    @Context() context: RequestContext,
    @Body() body: NewAccountHolderDto,
  ): Promise<AccountHolder> {
    return holderResult(await this.commands.execute(new CreateAccountHolder(context, body)));
  }

  @Get()
  async listAccountHolders(
    @Context() { merchant }: RequestContext,
    @Query() query: AccountHolderListQuery,
  ): Promise<JsonPage> {
    const list = await this.queries.execute(new ListAccountHolders(query.request(merchant.id)));
    return query.page(list, (holder) => JSON.stringify(holder));
  }

  @Get(':id')
  async getAccountHolder(
    @Context() { merchant }: RequestContext,
    @Param('id') id: string,
  ): Promise<AccountHolder> {
    const holder = await this.queries.execute(new FindAccountHolder(merchant.id, id));
    if (!holder) throw noHolder();
    return shownHolder(holder);
  }

  @Put(':id')
  async updateAccountHolder(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() body: AccountHolderChangeDto,
  ): Promise<AccountHolder> {
    return holderResult(await this.commands.execute(new ChangeAccountHolder(context, id, body)));
  }

  /** Removes the holder's tokens and destroys the keys of the personal data. */
  @Delete(':id')
  async eraseAccountHolder(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<AccountHolder> {
    return holderResult(await this.commands.execute(new EraseAccountHolder(context, id)));
  }
}
