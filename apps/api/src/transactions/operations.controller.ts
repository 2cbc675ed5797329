import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { OperationResult, RequestContext } from '@tillstream/payments';
import { Context } from '../access/caller.js';
import { MerchantApi, Operation } from '../http/endpoint.decorators.js';
import { OperationBus } from '../metrics/operation.bus.js';
import {
  VirtualAuthDto,
  VirtualRefundDto,
  VirtualSaleDto,
} from '../hosted-form/opening/virtual-request.dto.js';
import { CaptureRequestDto, PhysicalDto, RefundRequestDto, VoidRequestDto } from './operation.dto.js';
import {
  Capture,
  PhysicalAuth,
  PhysicalSale,
  Refund,
  TokenAuth,
  TokenSale,
  UnreferencedPhysicalRefund,
  UnreferencedVirtualRefund,
  VirtualAuth,
  VirtualSale,
  Void,
} from './operations.handlers.js';
import { TokenPaymentDto } from './token-payment.dto.js';
import { OPERATION_ENDPOINTS } from './operations.docs.js';

/** Everything that moves money (`docs/spec/endpoints.md#merchant-api`). */
@ApiTags('Transactions')
@Controller('v1/transactions')
@MerchantApi(OPERATION_ENDPOINTS)
export class OperationsController {
  constructor(private readonly operations: OperationBus) {}

  @Post('physical-sale')
  @Operation()
  physicalSale(@Context() context: RequestContext, @Body() body: PhysicalDto): Promise<OperationResult> {
    return this.operations.execute(new PhysicalSale(context, body));
  }

  @Post('physical-auth')
  @Operation()
  physicalAuth(@Context() context: RequestContext, @Body() body: PhysicalDto): Promise<OperationResult> {
    return this.operations.execute(new PhysicalAuth(context, body));
  }

  @Post('unreferenced-physical-refund')
  @Operation()
  unreferencedPhysicalRefund(
    @Context() context: RequestContext,
    @Body() body: PhysicalDto,
  ): Promise<OperationResult> {
    return this.operations.execute(new UnreferencedPhysicalRefund(context, body));
  }

  @Post('virtual-sale')
  @Operation()
  virtualSale(@Context() context: RequestContext, @Body() body: VirtualSaleDto): Promise<OperationResult> {
    return this.operations.execute(new VirtualSale(context, body));
  }

  @Post('virtual-auth')
  @Operation()
  virtualAuth(@Context() context: RequestContext, @Body() body: VirtualAuthDto): Promise<OperationResult> {
    const { accountHolder: _ignored, ...request } = body;
    return this.operations.execute(new VirtualAuth(context, request));
  }

  @Post('unreferenced-virtual-refund')
  @Operation()
  unreferencedVirtualRefund(
    @Context() context: RequestContext,
    @Body() body: VirtualRefundDto,
  ): Promise<OperationResult> {
    return this.operations.execute(new UnreferencedVirtualRefund(context, body));
  }

  @Post('token-sale')
  @Operation()
  tokenSale(@Context() context: RequestContext, @Body() body: TokenPaymentDto): Promise<OperationResult> {
    return this.operations.execute(new TokenSale(context, body));
  }

  @Post('token-auth')
  @Operation()
  tokenAuth(@Context() context: RequestContext, @Body() body: TokenPaymentDto): Promise<OperationResult> {
    return this.operations.execute(new TokenAuth(context, body));
  }

  @Post('capture')
  @Operation()
  capture(@Context() context: RequestContext, @Body() body: CaptureRequestDto): Promise<OperationResult> {
    return this.operations.execute(new Capture(context, body));
  }

  @Post('refund')
  @Operation()
  refund(@Context() context: RequestContext, @Body() body: RefundRequestDto): Promise<OperationResult> {
    return this.operations.execute(new Refund(context, body));
  }

  @Post('void')
  @Operation()
  void(@Context() context: RequestContext, @Body() body: VoidRequestDto): Promise<OperationResult> {
    return this.operations.execute(new Void(context, body));
  }
}
