import { Body, Controller, Delete, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tillstream/contracts';
import type { RequestContext, WebhookEndpointRequest } from '@tillstream/payments';
import { webhookEndpointShape } from '@tillstream/presentation';
import { Context } from '../access/caller.js';
import { NeedsManagedWebhooks } from '../access/callers.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonPage } from '../http/json.page.js';
import { listQuery } from '../validation/list.query.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { NewWebhookEndpointDto, WebhookEndpointChangeDto } from './webhook-endpoint.dto.js';
import { foundEndpoint, WebhookEndpointErrors } from './webhook-endpoint.errors.js';
import { WEBHOOK_ENDPOINT_ENDPOINTS } from './webhook-endpoints.docs.js';
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  FindWebhookEndpoint,
  ListWebhookEndpoints,
  RotateWebhookSecret,
} from './webhook-endpoints.handlers.js';

class WebhookEndpointListQuery extends listQuery({
  sorts: ['createdAt'],
  totals: true,
  boundTo: ({ merchantId }) => `webhook endpoints of ${merchantId}`,
}) {}

const requestOf = ({ merchant, actor, traceId, idempotency }: RequestContext): WebhookEndpointRequest => ({
  ...{ actor, traceId, merchantId: merchant.id, method: 'Managed' },
  commandId: idempotency?.commandId,
});

/** A merchant's own endpoints (`docs/spec/webhooks.md#managed-endpoints`). Those of operators are not found here. */
@ApiTags('Webhook endpoints')
@Controller('v1/webhook-endpoints')
@MerchantApi(WEBHOOK_ENDPOINT_ENDPOINTS)
@NeedsManagedWebhooks()
@UseInterceptors(WebhookEndpointErrors)
export class WebhookEndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  async createWebhookEndpoint(
    @Context() context: RequestContext,
    @Body() body: NewWebhookEndpointDto,
  ): Promise<WebhookEndpointWithSecret> {
    const { endpoint, secret } = await this.commands.execute(
      new CreateWebhookEndpoint(requestOf(context), body),
    );
    return { ...webhookEndpointShape(endpoint), secret };
  }

  @Get()
  async listWebhookEndpoints(
    @Context() { merchant }: RequestContext,
    @Query() query: WebhookEndpointListQuery,
  ): Promise<JsonPage> {
    const endpoints = await this.queries.execute(new ListWebhookEndpoints(merchant.id, 'Managed'));
    return query.sorted(endpoints, webhookEndpointShape);
  }

  @Get(':id')
  async getWebhookEndpoint(
    @Context() { merchant }: RequestContext,
    @Param('id') id: string,
  ): Promise<WebhookEndpoint> {
    const endpoint = await this.queries.execute(new FindWebhookEndpoint(merchant.id, 'Managed', id));
    return webhookEndpointShape(foundEndpoint(endpoint));
  }

  @Put(':id')
  async updateWebhookEndpoint(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() body: WebhookEndpointChangeDto,
  ): Promise<WebhookEndpoint> {
    const command = new ChangeWebhookEndpoint(requestOf(context), id, body);
    return webhookEndpointShape(await this.commands.execute(command));
  }

  @Delete(':id')
  async deleteWebhookEndpoint(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<WebhookEndpoint> {
    return webhookEndpointShape(
      await this.commands.execute(new DeleteWebhookEndpoint(requestOf(context), id)),
    );
  }

  /** The old secret signs too for 24 h. */
  @Post(':id/rotate-secret')
  async rotateWebhookSecret(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body() _body: NoFieldsDto,
  ): Promise<WebhookEndpointWithSecret> {
    const { endpoint, secret } = await this.commands.execute(new RotateWebhookSecret(requestOf(context), id));
    return { ...webhookEndpointShape(endpoint), secret };
  }
}
