import { Body, Controller, Get, Module, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WEBHOOK_DELIVERY_STATUSES, type WebhookDelivery, type WebhookReplay } from '@tillstream/contracts';
import { EVENT_TYPES_OF, type WebhookEventType } from '@tillstream/domain';
import type { RequestContext, WebhookEndpointRegistry } from '@tillstream/payments';
import type { Adapters } from '@tillstream/platform';
import { TOTAL_COUNT_MAX } from '@tillstream/read-models';
import { EndpointDeliveries } from '@tillstream/webhook-delivery';
import { ADAPTERS, WEBHOOK_ENDPOINTS } from '../api.parts.js';
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
  constructor(private readonly deliveries: EndpointDeliveries) {}

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
    const { next, ...list } = await this.deliveries.list(
      { merchantId: merchant.id, endpointId },
      {
        ...{ filter, after, limit },
        order: sort?.descending === false ? 'OldestFirst' : 'NewestFirst',
        ...(includeTotal && { totalMax: TOTAL_COUNT_MAX }),
      },
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
    return this.deliveries.find({ merchantId: merchant.id, endpointId }, deliveryId);
  }

  @Post('deliveries/:deliveryId/replay')
  replayWebhookDelivery(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Param('deliveryId') deliveryId: string,
    @Body() _body: NoFieldsDto,
  ): Promise<WebhookDelivery> {
    return this.deliveries.replay({ merchantId: merchant.id, endpointId }, deliveryId);
  }

  @Post('replay')
  async replayWebhookDeliveries(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Body() { failedSince, from = '', to = '' }: WebhookReplayDto,
  ): Promise<WebhookReplay> {
    const range =
      failedSince === undefined ? { from: msOf(from), to: before(to) } : { failedSince: msOf(failedSince) };
    return { count: await this.deliveries.replayRange({ merchantId: merchant.id, endpointId }, range) };
  }

  @Post('test')
  testWebhookEndpoint(
    @Context() { merchant }: RequestContext,
    @Param('id') endpointId: string,
    @Body() { eventType = 'sale.completed' }: WebhookTestDto,
  ): Promise<WebhookDelivery> {
    return this.deliveries.test({ merchantId: merchant.id, endpointId }, eventType as WebhookEventType);
  }
}

type DeliveryAdapters = Pick<Adapters, 'deliveries' | 'deliverySealer' | 'clock'>;

@Module({
  controllers: [WebhookDeliveriesController],
  providers: [
    {
      provide: EndpointDeliveries,
      inject: [WEBHOOK_ENDPOINTS, ADAPTERS],
      useFactory: (
        endpoints: WebhookEndpointRegistry,
        { deliveries, deliverySealer: sealer, clock }: DeliveryAdapters,
      ) =>
        new EndpointDeliveries({
          findEndpoint: ({ merchantId, endpointId }) => endpoints.find(merchantId, 'Managed', endpointId),
          ...{ deliveries, sealer, clock },
        }),
    },
  ],
})
export class WebhookDeliveriesModule {}
