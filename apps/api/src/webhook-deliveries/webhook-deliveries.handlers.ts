import {
  Command,
  CommandHandler,
  Query,
  QueryHandler,
  type ICommandHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { WebhookDelivery } from '@tillstream/contracts';
import type { WebhookEventType } from '@tillstream/domain';
import {
  EndpointDeliveries,
  type ChosenDeliveries,
  type DeliveryList,
  type DeliveryListRequest,
  type EndpointOf,
} from '@tillstream/webhook-delivery';

/* Each rejects with `DeliveryRejected`, also where the merchant has no such endpoint. */

export class ListWebhookDeliveries extends Query<DeliveryList> {
  constructor(
    readonly endpoint: EndpointOf,
    readonly request: DeliveryListRequest,
  ) {
    super();
  }
}

@QueryHandler(ListWebhookDeliveries)
export class ListWebhookDeliveriesHandler implements IQueryHandler<ListWebhookDeliveries> {
  constructor(private readonly deliveries: EndpointDeliveries) {}

  execute({ endpoint, request }: ListWebhookDeliveries): Promise<DeliveryList> {
    return this.deliveries.list(endpoint, request);
  }
}

export class FindWebhookDelivery extends Query<WebhookDelivery> {
  constructor(
    readonly endpoint: EndpointOf,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@QueryHandler(FindWebhookDelivery)
export class FindWebhookDeliveryHandler implements IQueryHandler<FindWebhookDelivery> {
  constructor(private readonly deliveries: EndpointDeliveries) {}

  execute({ endpoint, deliveryId }: FindWebhookDelivery): Promise<WebhookDelivery> {
    return this.deliveries.find(endpoint, deliveryId);
  }
}

export class ReplayWebhookDelivery extends Command<WebhookDelivery> {
  constructor(
    readonly endpoint: EndpointOf,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@CommandHandler(ReplayWebhookDelivery)
export class ReplayWebhookDeliveryHandler implements ICommandHandler<ReplayWebhookDelivery> {
  constructor(private readonly deliveries: EndpointDeliveries) {}

  execute({ endpoint, deliveryId }: ReplayWebhookDelivery): Promise<WebhookDelivery> {
    return this.deliveries.replay(endpoint, deliveryId);
  }
}

/** The result is the number of deliveries. */
export class ReplayWebhookDeliveries extends Command<number> {
  constructor(
    readonly endpoint: EndpointOf,
    readonly chosen: ChosenDeliveries,
  ) {
    super();
  }
}

@CommandHandler(ReplayWebhookDeliveries)
export class ReplayWebhookDeliveriesHandler implements ICommandHandler<ReplayWebhookDeliveries> {
  constructor(private readonly deliveries: EndpointDeliveries) {}

  execute({ endpoint, chosen }: ReplayWebhookDeliveries): Promise<number> {
    return this.deliveries.replayRange(endpoint, chosen);
  }
}

/** Sends an example of an event. */
export class TestWebhookEndpoint extends Command<WebhookDelivery> {
  constructor(
    readonly endpoint: EndpointOf,
    readonly eventType: WebhookEventType,
  ) {
    super();
  }
}

@CommandHandler(TestWebhookEndpoint)
export class TestWebhookEndpointHandler implements ICommandHandler<TestWebhookEndpoint> {
  constructor(private readonly deliveries: EndpointDeliveries) {}

  execute({ endpoint, eventType }: TestWebhookEndpoint): Promise<WebhookDelivery> {
    return this.deliveries.test(endpoint, eventType);
  }
}

export const WEBHOOK_DELIVERY_HANDLERS = [
  ListWebhookDeliveriesHandler,
  FindWebhookDeliveryHandler,
  ReplayWebhookDeliveryHandler,
  ReplayWebhookDeliveriesHandler,
  TestWebhookEndpointHandler,
];
