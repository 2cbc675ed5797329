import { Body, Controller, Param, Post, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { MerchantApplication } from '@tillstream/contracts';
import type { RequestedStep } from '@tillstream/payments';
import { merchantApplicationShape } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { ReasonDto } from '../merchants/merchants.dto.js';
import { merchantIdOf } from '../merchants/merchants.errors.js';
import { TakeApplicationStep } from './applications.handlers.js';
import { APPLICATION_ENDPOINTS } from './applications.docs.js';
import { ChangeStatusDto, RequireActionDto } from './applications.dto.js';
import { ApplicationErrors } from './applications.errors.js';

/** The application of a merchant, step by step (`docs/spec/operators.md#merchant-application`). */
@ApiTags('Merchants')
@Controller('admin/v1/merchants/:id/application')
@OperatorApi(APPLICATION_ENDPOINTS)
@UseInterceptors(ApplicationErrors)
export class MerchantApplicationsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('start')
  startApplication(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<MerchantApplication> {
    return this.take(operator, id, { step: 'start' });
  }

  @Post('upload-info')
  uploadApplicationInfo(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<MerchantApplication> {
    return this.take(operator, id, { step: 'upload-info' });
  }

  @Post('require-action')
  requireApplicationAction(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { reason, requiredActions }: RequireActionDto,
  ): Promise<MerchantApplication> {
    return this.take(operator, id, { step: 'require-action', requiredActions, ...given(reason) });
  }

  @Post('submit')
  submitApplication(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<MerchantApplication> {
    return this.take(operator, id, { step: 'submit' });
  }

  @Post('change-status')
  changeApplicationStatus(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { reason, status }: ChangeStatusDto,
  ): Promise<MerchantApplication> {
    return this.take(operator, id, { step: 'change-status', status, ...given(reason) });
  }

  @Post('approve')
  approveApplication(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<MerchantApplication> {
    return this.take(operator, id, { step: 'approve' });
  }

  @Post('reject')
  rejectApplication(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
  ): Promise<MerchantApplication> {
    return this.take(operator, id, { step: 'reject', ...given(reason) });
  }

  private async take(
    { actor, traceId, commandId }: OperatorRequest,
    id: string,
    step: RequestedStep,
  ): Promise<MerchantApplication> {
    const request = { actor, traceId, commandId, merchantId: merchantIdOf(id) };
    return merchantApplicationShape(await this.commands.execute(new TakeApplicationStep(request, step)));
  }
}

const given = (reason: string | undefined): { readonly reason?: string } =>
  reason === undefined ? {} : { reason };
