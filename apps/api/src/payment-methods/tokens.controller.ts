import { Body, Controller, Delete, Param, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { RequestContext, TokenResult } from '@tillstream/payments';
import { Context } from '../access/request.decorators.js';
import { MerchantApi, Operation } from '../http/endpoint.decorators.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { RemoveToken, StoreCardFromTerminal, UpdateToken } from './token.commands.js';
import { ChangeTokenDto, StoreCardDto } from './token.dto.js';
import { TOKEN_ENDPOINTS } from './payment-methods.docs.js';

const ofPath = ['TokenNotFound', 'TokenNotFinished'] as const;

/** Stored cards, by operations that are listed and read like those that move money (`docs/spec/endpoints.md#merchant-api`). */
@ApiTags('Payment methods')
@Controller('v1/payment-methods')
@MerchantApi(TOKEN_ENDPOINTS)
export class TokensController {
  constructor(private readonly commands: CommandBus) {}

  @Post('physical')
  @Operation()
  storeCardFromTerminal(
    @Context() context: RequestContext,
    @Body() body: StoreCardDto,
  ): Promise<TokenResult> {
    return this.commands.execute(new StoreCardFromTerminal(context, body));
  }

  @Put('token/:id')
  @Operation({ ofPath })
  updateToken(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() body: ChangeTokenDto,
  ): Promise<TokenResult> {
    return this.commands.execute(new UpdateToken(context, id, body));
  }

  @Delete('token/:id')
  @Operation({ ofPath })
  removeToken(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<TokenResult> {
    return this.commands.execute(new RemoveToken(context, id));
  }
}
