import { Module } from '@nestjs/common';
import type { WebhookEndpointRegistry } from '@tillstream/payments';
import type { Adapters } from '@tillstream/platform';
import { EndpointDeliveries } from '@tillstream/webhook-delivery';
import { ADAPTERS, WEBHOOK_ENDPOINTS } from '../api.parts.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WEBHOOK_DELIVERY_HANDLERS } from './webhook-deliveries.handlers.js';

type DeliveryAdapters = Pick<Adapters, 'deliveries' | 'deliverySealer' | 'clock'>;

function endpointDeliveries(
  endpoints: WebhookEndpointRegistry,
  { deliveries, deliverySealer: sealer, clock }: DeliveryAdapters,
): EndpointDeliveries {
  return new EndpointDeliveries({
    findEndpoint: ({ merchantId, endpointId }) => endpoints.find(merchantId, 'Managed', endpointId),
    ...{ deliveries, sealer, clock },
  });
}

@Module({
  controllers: [WebhookDeliveriesController],
  providers: [
    { provide: EndpointDeliveries, inject: [WEBHOOK_ENDPOINTS, ADAPTERS], useFactory: endpointDeliveries },
    ...WEBHOOK_DELIVERY_HANDLERS,
  ],
})
export class WebhookDeliveriesModule {}
