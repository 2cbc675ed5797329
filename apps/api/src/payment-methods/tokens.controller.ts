import { Controller, Delete, Param, Post, Put, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { MerchantEndpoint } from '../openapi/endpoint.js';
import { OperationEndpoint } from '../transactions/operation.endpoint.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { atLeastOneField } from '../validation/request.body.js';
import { RemoveToken, StoreCardFromTerminal, UpdateToken } from './token.commands.js';
import { ChangeTokenDto, StoreCardDto } from './token.dto.js';
import { TOKEN_ENDPOINTS } from './payment-methods.docs.js';

const ofPath = ['TokenNotFound', 'TokenNotFinished'] as const;

/**
 * Stored cards, by operations that are listed and looked up like those that move money
 * (`docs/spec/endpoints.md#merchant-api`).
 */
@ApiTags('Payment methods')
@Controller('v1/payment-methods')
@Callers('MerchantKey')
export class TokensController {
  constructor(
    private readonly endpoint: OperationEndpoint,
    private readonly commands: CommandBus,
  ) {}

  @Post('physical')
  @MerchantEndpoint(TOKEN_ENDPOINTS.storeFromTerminal)
  storeFromTerminal(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(
      request,
      StoreCardDto,
      (context, body) => this.commands.execute(new StoreCardFromTerminal(context, body)),
      { mayBeEmpty: true },
    );
  }

  @Put('token/:id')
  @MerchantEndpoint(TOKEN_ENDPOINTS.change)
  change(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    return this.endpoint.answer(
      request,
      ChangeTokenDto,
      (context, body) => this.commands.execute(new UpdateToken(context, id, body)),
      { wrong: atLeastOneField(ChangeTokenDto), ofPath },
    );
  }

  @Delete('token/:id')
  @MerchantEndpoint(TOKEN_ENDPOINTS.remove)
  remove(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    return this.endpoint.answer(
      request,
      NoFieldsDto,
      (context) => this.commands.execute(new RemoveToken(context, id)),
      { mayBeEmpty: true, ofPath },
    );
  }
}
