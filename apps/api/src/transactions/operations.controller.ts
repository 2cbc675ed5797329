import { Controller, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { MerchantEndpoint } from '../openapi/endpoint.js';
import { CaptureRequestDto, RefundRequestDto, VoidRequestDto } from './follow-up.dto.js';
import {
  Capture,
  PhysicalAuth,
  PhysicalSale,
  Refund,
  TokenAuth,
  TokenSale,
  UnreferencedPhysicalRefund,
  Void,
} from './operation.commands.js';
import { OperationEndpoint } from './operation.endpoint.js';
import { PhysicalRequestDto } from './physical.dto.js';
import { TokenPaymentDto } from './token-payment.dto.js';
import { OPERATION_ENDPOINTS } from './operations.docs.js';

/** Everything that moves money (`docs/spec/endpoints.md#merchant-api`). */
@ApiTags('Transactions')
@Controller('v1/transactions')
@Callers('MerchantKey')
export class OperationsController {
  constructor(
    private readonly endpoint: OperationEndpoint,
    private readonly commands: CommandBus,
  ) {}

  @Post('physical-sale')
  @MerchantEndpoint(OPERATION_ENDPOINTS.physicalSale)
  physicalSale(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, PhysicalRequestDto, (context, body) =>
      this.commands.execute(new PhysicalSale(context, body)),
    );
  }

  @Post('physical-auth')
  @MerchantEndpoint(OPERATION_ENDPOINTS.physicalAuth)
  physicalAuth(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, PhysicalRequestDto, (context, body) =>
      this.commands.execute(new PhysicalAuth(context, body)),
    );
  }

  @Post('unreferenced-physical-refund')
  @MerchantEndpoint(OPERATION_ENDPOINTS.unreferencedPhysicalRefund)
  unreferencedPhysicalRefund(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, PhysicalRequestDto, (context, body) =>
      this.commands.execute(new UnreferencedPhysicalRefund(context, body)),
    );
  }

  @Post('token-sale')
  @MerchantEndpoint(OPERATION_ENDPOINTS.tokenSale)
  tokenSale(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, TokenPaymentDto, (context, body) =>
      this.commands.execute(new TokenSale(context, body)),
    );
  }

  @Post('token-auth')
  @MerchantEndpoint(OPERATION_ENDPOINTS.tokenAuth)
  tokenAuth(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, TokenPaymentDto, (context, body) =>
      this.commands.execute(new TokenAuth(context, body)),
    );
  }

  @Post('capture')
  @MerchantEndpoint(OPERATION_ENDPOINTS.capture)
  capture(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, CaptureRequestDto, (context, body) =>
      this.commands.execute(new Capture(context, body)),
    );
  }

  @Post('refund')
  @MerchantEndpoint(OPERATION_ENDPOINTS.refund)
  refund(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, RefundRequestDto, (context, body) =>
      this.commands.execute(new Refund(context, body)),
    );
  }

  @Post('void')
  @MerchantEndpoint(OPERATION_ENDPOINTS.void)
  void(@Req() request: ApiRequest): Promise<Answer> {
    return this.endpoint.answer(request, VoidRequestDto, (context, body) =>
      this.commands.execute(new Void(context, body)),
    );
  }
}
