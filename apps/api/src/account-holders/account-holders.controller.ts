import { Controller, Delete, Get, Param, Post, Put, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { AccountHolder } from '@tillstream/contracts';
import { Callers } from '../access/callers.js';
import { contextOf, merchantOf } from '../access/caller.js';
import type { Answer } from '../http/answer.js';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { listAnswer } from '../http/list.answer.js';
import { MerchantEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { anyText } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { KEY_PLACE, listRequest, placeOf } from '../validation/page.key.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { atLeastOneField, requestBody } from '../validation/request.body.js';
import { holderAnswer, noHolder, shownHolder } from './account-holder.answer.js';
import { ChangeAccountHolder, CreateAccountHolder, EraseAccountHolder } from './account-holder.commands.js';
import { HolderFieldsDto } from './account-holder.dto.js';
import { FindAccountHolder, ListAccountHolders } from './account-holder.queries.js';
import { ACCOUNT_HOLDER_ENDPOINTS } from './account-holders.docs.js';

export const ACCOUNT_HOLDER_FILTERS = { externalId: anyText(100) };

/**
 * The persons behind stored cards (`docs/spec/payment-methods.md#account-holders`). In a path `id` is an `acc_` id or
 * the merchant's external id.
 */
@ApiTags('Account holders')
@Controller('v1/account-holders')
@Callers('MerchantKey')
export class AccountHoldersController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @MerchantEndpoint(ACCOUNT_HOLDER_ENDPOINTS.create)
  async create(@Req() request: ApiRequest): Promise<Answer> {
    const asked = await requestBody(request, HolderFieldsDto, { mayBeEmpty: true });
    return this.kept.once(request, asked, async (commandId) =>
      holderAnswer(
        await this.commands.execute(new CreateAccountHolder(contextOf(request), asked.body, commandId)),
      ),
    );
  }

  @Get()
  @MerchantEndpoint(ACCOUNT_HOLDER_ENDPOINTS.list, ACCOUNT_HOLDER_FILTERS)
  async list(@Req() request: ApiRequest): Promise<Answer> {
    const merchantId = merchantOf(request).id;
    const query = listQuery(request, {
      filters: ACCOUNT_HOLDER_FILTERS,
      sorts: ['createdAt', 'updatedAt'],
      totals: true,
      boundTo: `account holders of ${merchantId}`,
      place: KEY_PLACE,
    });
    const { filters: _filters, ...asked } = listRequest(merchantId, query);
    const { items, next, total } = await this.queries.execute(
      new ListAccountHolders(asked, query.filters.externalId),
    );
    const nextCursor = next && query.nextCursor(placeOf(next));
    return listAnswer(
      items.map((one) => JSON.stringify(one)),
      { nextCursor, ...(total && { total }) },
    );
  }

  @Get(':id')
  @MerchantEndpoint(ACCOUNT_HOLDER_ENDPOINTS.one)
  async one(@Req() request: ApiRequest, @Param('id') id: string): Promise<AccountHolder> {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    const holder = await this.queries.execute(new FindAccountHolder(merchantOf(request).id, id));
    if (!holder) throw noHolder();
    return shownHolder(holder);
  }

  @Put(':id')
  @MerchantEndpoint(ACCOUNT_HOLDER_ENDPOINTS.change)
  async change(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const asked = await requestBody(request, HolderFieldsDto, { wrong: atLeastOneField(HolderFieldsDto) });
    return this.kept.once(request, asked, async (commandId) =>
      holderAnswer(
        await this.commands.execute(new ChangeAccountHolder(contextOf(request), id, asked.body, commandId)),
      ),
    );
  }

  /** Its tokens are removed, and its personal data can't be read by anybody any more. */
  @Delete(':id')
  @MerchantEndpoint(ACCOUNT_HOLDER_ENDPOINTS.erase)
  async erase(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const asked = await requestBody(request, NoFieldsDto, { mayBeEmpty: true });
    return this.kept.once(request, asked, async (commandId) =>
      holderAnswer(await this.commands.execute(new EraseAccountHolder(contextOf(request), id, commandId))),
    );
  }
}
