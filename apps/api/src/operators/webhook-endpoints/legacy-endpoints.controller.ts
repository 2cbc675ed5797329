import { Body, Controller, Delete, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type {
  WebhookEndpoint,
  WebhookEndpointStatus,
  WebhookEndpointWithSecret,
} from '@tillstream/contracts';
import type { WebhookEndpointRequest } from '@tillstream/payments';
import { webhookEndpointShape } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import type { JsonPage } from '../../http/json.page.js';
import { listQuery } from '../../validation/list.query.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { WebhookEndpointErrors } from '../../webhook-endpoints/webhook-endpoint.errors.js';
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  ListWebhookEndpoints,
  RotateWebhookSecret,
} from '../../webhook-endpoints/webhook-endpoints.handlers.js';
import { found, merchantIdOf } from '../merchants/merchants.errors.js';
import { FindMerchant } from '../merchants/merchants.handlers.js';
import { LegacySecretDto, NewLegacyEndpointDto } from './legacy-endpoints.dto.js';
import { LEGACY_ENDPOINT_ENDPOINTS } from './legacy-endpoints.docs.js';

class LegacyEndpointListQuery extends listQuery({
  sorts: ['createdAt'],
  totals: true,
  boundTo: ({ id }) => `legacy webhook endpoints of ${id}`,
}) {}

const requestOf = ({ actor, traceId, commandId }: OperatorRequest, id: string): WebhookEndpointRequest => ({
  ...{ actor, traceId, commandId, method: 'Legacy' },
  merchantId: merchantIdOf(id),
});

/** The endpoints that operators set up for a merchant (`docs/spec/operators.md#legacy-webhook-endpoints`). */
@ApiTags('Merchants')
@Controller('admin/v1/merchants/:merchantId/legacy-webhook-endpoints')
@OperatorApi(LEGACY_ENDPOINT_ENDPOINTS)
@UseInterceptors(WebhookEndpointErrors)
export class LegacyEndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  async createLegacyWebhookEndpoint(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Body() body: NewLegacyEndpointDto,
  ): Promise<WebhookEndpointWithSecret> {
    const command = new CreateWebhookEndpoint(requestOf(operator, id), body);
    const { endpoint, secret } = await this.commands.execute(command);
    return { ...webhookEndpointShape(endpoint), secret };
  }

  @Get()
  async listLegacyWebhookEndpoints(
    @Param('merchantId') id: string,
    @Query() query: LegacyEndpointListQuery,
  ): Promise<JsonPage> {
    const merchant = found(await this.queries.execute(new FindMerchant(merchantIdOf(id))));
    const endpoints = await this.queries.execute(new ListWebhookEndpoints(merchant.id, 'Legacy'));
    return query.sorted(endpoints, webhookEndpointShape);
  }

  @Delete(':endpointId')
  async deleteLegacyWebhookEndpoint(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Param('endpointId') endpointId: string,
    @Body() _body: NoFieldsDto,
  ): Promise<WebhookEndpoint> {
    const command = new DeleteWebhookEndpoint(requestOf(operator, id), endpointId);
    return webhookEndpointShape(await this.commands.execute(command));
  }

  @Post(':endpointId/disable')
  disableLegacyWebhookEndpoint(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Param('endpointId') endpointId: string,
    @Body() _body: NoFieldsDto,
  ): Promise<WebhookEndpoint> {
    return this.setStatus(requestOf(operator, id), endpointId, 'Disabled');
  }

  @Post(':endpointId/enable')
  enableLegacyWebhookEndpoint(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Param('endpointId') endpointId: string,
    @Body() _body: NoFieldsDto,
  ): Promise<WebhookEndpoint> {
    return this.setStatus(requestOf(operator, id), endpointId, 'Enabled');
  }

  /** The old secret stops at once: a legacy signature has room for one. */
  @Post(':endpointId/rotate-secret')
  async rotateLegacyWebhookSecret(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Param('endpointId') endpointId: string,
    @Body() body: LegacySecretDto,
  ): Promise<WebhookEndpointWithSecret> {
    const command = new RotateWebhookSecret(requestOf(operator, id), endpointId, body.secret);
    const { endpoint, secret } = await this.commands.execute(command);
    return { ...webhookEndpointShape(endpoint), secret };
  }

  private async setStatus(
    request: WebhookEndpointRequest,
    endpointId: string,
    status: WebhookEndpointStatus,
  ): Promise<WebhookEndpoint> {
    const command = new ChangeWebhookEndpoint(request, endpointId, { status });
    return webhookEndpointShape(await this.commands.execute(command));
  }
}
