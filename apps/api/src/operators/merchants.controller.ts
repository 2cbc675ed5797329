import { Controller, Get, Param, Post, Put, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { MERCHANT_STATUSES, type Merchant } from '@tillstream/contracts';
import { merchantShape } from '@tillstream/presentation';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { listAnswer } from '../http/list.answer.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { anyOf } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { KEY_PLACE, listRequest, placeOf } from '../validation/page.key.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { atLeastOneField, requestBody } from '../validation/request.body.js';
import { found, merchantIdOf, operatorChange } from './merchants.answer.js';
import { ChangeMerchant, CreateMerchant, SetMerchantDisabled } from './merchants.commands.js';
import { MERCHANT_DEFAULTS, MerchantChangeDto, NewMerchantDto, ReasonDto } from './merchants.dto.js';
import { FindMerchant, ListMerchants } from './merchants.queries.js';
import { MERCHANT_ENDPOINTS } from './merchants.docs.js';

export const MERCHANT_FILTERS = { status: anyOf(MERCHANT_STATUSES) };

/** The merchants of this service, for those who run it (`docs/spec/operators.md#merchants`). */
@ApiTags('Merchants')
@Controller('admin/v1/merchants')
@Callers('AdminKey')
export class MerchantsController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @OperatorEndpoint(MERCHANT_ENDPOINTS.create)
  async create(@Req() request: ApiRequest): Promise<Answer> {
    const asked = await requestBody(request, NewMerchantDto);
    const settings = { ...MERCHANT_DEFAULTS, ...asked.body };
    return operatorChange(this.kept, request, asked, async (by) =>
      merchantShape(await this.commands.execute(new CreateMerchant(by, settings))),
    );
  }

  @Get()
  @OperatorEndpoint(MERCHANT_ENDPOINTS.list, MERCHANT_FILTERS)
  async list(@Req() request: ApiRequest): Promise<Answer> {
    const query = listQuery(request, {
      filters: MERCHANT_FILTERS,
      sorts: ['createdAt', 'updatedAt'],
      totals: true,
      boundTo: 'merchants',
      place: KEY_PLACE,
    });
    const { merchantId: _everybody, ...asked } = listRequest('', query);
    const { items, next, total } = await this.queries.execute(new ListMerchants(asked));
    return listAnswer(
      items.map(({ body }) => body),
      { nextCursor: next && query.nextCursor(placeOf(next)), ...(total && { total }) },
    );
  }

  @Get(':id')
  @OperatorEndpoint(MERCHANT_ENDPOINTS.one)
  async one(@Req() request: ApiRequest, @Param('id') id: string): Promise<Merchant> {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    return merchantShape(found(await this.queries.execute(new FindMerchant(id))));
  }

  @Put(':id')
  @OperatorEndpoint(MERCHANT_ENDPOINTS.change)
  async change(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const asked = await requestBody(request, MerchantChangeDto, {
      wrong: atLeastOneField(MerchantChangeDto),
    });
    return operatorChange(this.kept, request, asked, async (by) =>
      merchantShape(await this.commands.execute(new ChangeMerchant(by, merchantIdOf(id), asked.body))),
    );
  }

  /** Its keys stop within 2 s, on every instance; what is under way goes on. */
  @Post(':id/disable')
  @OperatorEndpoint(MERCHANT_ENDPOINTS.disable)
  disable(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    return this.setDisabled(request, id, true);
  }

  @Post(':id/enable')
  @OperatorEndpoint(MERCHANT_ENDPOINTS.enable)
  enable(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    return this.setDisabled(request, id, false);
  }

  private async setDisabled(request: ApiRequest, id: string, disabled: boolean): Promise<Answer> {
    const asked = await requestBody(request, ReasonDto, { mayBeEmpty: true });
    const { reason } = asked.body;
    return operatorChange(this.kept, request, asked, async (by) => {
      const command = new SetMerchantDisabled(by, merchantIdOf(id), disabled, reason);
      return merchantShape(await this.commands.execute(command));
    });
  }
}
