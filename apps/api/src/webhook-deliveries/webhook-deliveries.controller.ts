import { Body, Controller, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { WEBHOOK_DELIVERY_STATUSES, type WebhookDelivery, type WebhookReplay } from '@tillstream/contracts';
import { EVENT_TYPES_OF, type WebhookEventType } from '@tillstream/domain';
import type { RequestContext } from '@tillstream/payments';
import { TOTAL_COUNT_MAX } from '@tillstream/read-models';
import { Context } from '../access/caller.js';
import { NeedsManagedWebhooks } from '../access/callers.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonPage } from '../http/json.page.js';
import { anyOf, anyText, time } from '../validation/list.filters.js';
import { boundOf } from '../validation/instant.js';
import { listQuery } from '../validation/list.query.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { WEBHOOK_DELIVERY_ENDPOINTS } from './webhook-deliveries.docs.js';
import { WebhookReplayDto, WebhookTestDto } from './webhook-deliveries.dto.js';
import {
  FindWebhookDelivery,
  ListWebhookDeliveries,
  ReplayWebhookDeliveries,
  ReplayWebhookDelivery,
  TestWebhookEndpoint,
} from './webhook-deliveries.handlers.js';
import { WebhookDeliveryErrors } from './webhook-delivery.errors.js';

class WebhookDeliveryListQuery extends listQuery({
  filters: {
    status: anyOf(WEBHOOK_DELIVERY_STATUSES),
    eventType: anyOf(EVENT_TYPES_OF.Managed),
    eventId: anyText(40),
    createdFrom: time,
    createdTo: time,
  },
  sorts: ['createdAt'],
  totals: true,
  boundTo: ({ merchantId, id }) => `webhook deliveries of ${merchantId} to ${id}`,
}) {}

/** Ms since 1970 of a validated time, a finer one rounded up. */
const msOf = (instant: string): number => Date.parse(boundOf(instant) ?? instant);
/** The store takes an inclusive end. */
const before = (instant: string): number => msOf(instant) - 1;

/** What was sent to a merchant's endpoint, and sending it again (`docs/spec/webhooks.md#deliveries`). */
@ApiTags('Webhook endpoints')
@Controller('v1/webhook-endpoints/:id')
@MerchantApi(WEBHOOK_DELIVERY_ENDPOINTS)
@NeedsManagedWebhooks()
@UseInterceptors(WebhookDeliveryErrors)
export class WebhookDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('deliveries')
  async listWebhookDeliveries(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Query() query: WebhookDeliveryListQuery,
  ): Promise<JsonPage> {
    const { createdFrom, createdTo, ...filters } = query.filters;
    const filter = {
      ...filters,
      ...(createdFrom !== undefined && { createdFrom: msOf(createdFrom) }),
      ...(createdTo !== undefined && { createdTo: before(createdTo) }),
    };
    const [createdAt, number] = (query.after ?? '').split(' ').map(Number);
    const after = createdAt !== undefined && number !== undefined ? { createdAt, number } : undefined;
    const { limit, includeTotal, sort } = query;
    const request = {
      ...{ filter, after, limit },
      order: sort?.descending === false ? 'OldestFirst' : 'NewestFirst',
      ...(includeTotal && { totalMax: TOTAL_COUNT_MAX }),
    } as const;
    const { next, ...list } = await this.queries.execute(
      new ListWebhookDeliveries({ merchantId: merchant.id, endpointId }, request),
    );
    const place = next ? { value: next.createdAt, id: String(next.number) } : null;
    return query.page({ ...list, next: place }, (delivery) => JSON.stringify(delivery));
  }

  @Get('deliveries/:deliveryId')
  getWebhookDelivery(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<WebhookDelivery> {
    return this.queries.execute(new FindWebhookDelivery({ merchantId: merchant.id, endpointId }, deliveryId));
  }

  @Post('deliveries/:deliveryId/replay')
  replayWebhookDelivery(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Param('deliveryId') deliveryId: string,
    @Body() _body: NoFieldsDto,
  ): Promise<WebhookDelivery> {
    return this.commands.execute(
      new ReplayWebhookDelivery({ merchantId: merchant.id, endpointId }, deliveryId),
    );
  }

  @Post('replay')
  async replayWebhookDeliveries(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Body() { failedSince, from = '', to = '' }: WebhookReplayDto,
  ): Promise<WebhookReplay> {
    const range =
      failedSince === undefined ? { from: msOf(from), to: before(to) } : { failedSince: msOf(failedSince) };
    const command = new ReplayWebhookDeliveries({ merchantId: merchant.id, endpointId }, range);
    return { count: await this.commands.execute(command) };
  }

  @Post('test')
  testWebhookEndpoint(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Body() { eventType = 'sale.completed' }: WebhookTestDto,
  ): Promise<WebhookDelivery> {
    return this.commands.execute(
      new TestWebhookEndpoint({ merchantId: merchant.id, endpointId }, eventType as WebhookEventType),
    );
  }
}
