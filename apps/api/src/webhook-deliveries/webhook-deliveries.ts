import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode, type WebhookDelivery } from '@tillstream/contracts';
import { ulid, type WebhookEventType } from '@tillstream/domain';
import type { WebhookEndpointRegistry } from '@tillstream/payments';
import type { Adapters } from '@tillstream/platform';
import { TOTAL_COUNT_MAX } from '@tillstream/read-models';
import {
  webhookDeliveryId,
  webhookMessageId,
  type DeliveryAttempt,
  type DeliveryCursor,
  type DeliveryFilter,
  type DeliveryOrder,
  type ReplayRange,
  type StoredDelivery,
} from '@tillstream/webhook-delivery';
import { ADAPTERS, WEBHOOK_ENDPOINTS } from '../api.parts.js';
import { ApiError, conflict, notFound } from '../http/api.error.js';
import { foundEndpoint } from '../webhook-endpoints/webhook-endpoint.errors.js';
import { exampleBody } from './example.events.js';

/** Deliveries of one transaction. The service answers other requests between two of them. */
const REPLAYED_PER_STEP = 500;
/** The dispatcher learns of a new endpoint by its event, some milliseconds later. */
const ENDPOINT_KNOWN_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 50;

/** A merchant's endpoint in a path. */
export interface EndpointOf {
  readonly merchantId: string;
  readonly endpointId: string;
}

export interface DeliveryList {
  readonly items: readonly WebhookDelivery[];
  readonly next: { readonly value: number; readonly id: string } | null;
  readonly total?: { readonly count: number; readonly isAtLeast: boolean };
}

export interface DeliveryPage {
  readonly after: DeliveryCursor | undefined;
  readonly limit: number;
  readonly order: DeliveryOrder;
  readonly includeTotal: boolean;
}

/**
 * The deliveries of managed endpoints (`docs/spec/webhooks.md#deliveries`). Every method rejects with 404 for an endpoint that
 * is not the merchant's.
 */
@Injectable()
export class WebhookDeliveries {
  constructor(
    @Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry,
    @Inject(ADAPTERS) private readonly adapters: Pick<Adapters, 'deliveries' | 'deliverySealer' | 'clock'>,
  ) {}

  async list(
    of: EndpointOf,
    chosen: Omit<DeliveryFilter, 'endpointId'>,
    { after, limit, order, includeTotal }: DeliveryPage,
  ): Promise<DeliveryList> {
    await this.requireEndpoint(of);
    const { deliveries } = this.adapters;
    const filter = { ...chosen, endpointId: of.endpointId };
    const found = await deliveries.list(filter, after, limit + 1, order);
    const last = found.length > limit ? found[limit - 1] : undefined;
    const count = includeTotal ? await deliveries.count(filter, TOTAL_COUNT_MAX + 1) : undefined;
    return {
      items: found.slice(0, limit).map((delivery) => this.shown(delivery)),
      next: last ? { value: last.createdAt, id: String(last.number) } : null,
      ...(count !== undefined && {
        total: { count: Math.min(count, TOTAL_COUNT_MAX), isAtLeast: count > TOTAL_COUNT_MAX },
      }),
    };
  }

  async find(of: EndpointOf, deliveryId: string): Promise<WebhookDelivery> {
    await this.requireEndpoint(of);
    const delivery = await this.adapters.deliveries.find(of.endpointId, deliveryId);
    if (!delivery) throw noDelivery();
    return this.shown(delivery);
  }

  /** One more attempt with the same ids and bytes. */
  async replay(of: EndpointOf, deliveryId: string): Promise<WebhookDelivery> {
    await this.requireSending(of);
    const { deliveries, clock } = this.adapters;
    const result = await deliveries.replay(of.endpointId, deliveryId, clock.now());
    switch (result.kind) {
      case 'Replayed':
        return this.shown(result.delivery);
      case 'NotFound':
        throw noDelivery();
      case 'BodyDeleted':
        throw unfit('The body of the event was deleted after 30 days; it can not be sent again.');
      case 'EndpointDisabled':
        throw disabled();
    }
  }

  /** Returns the number of deliveries that are sent again. Those whose body was deleted are left out. */
  async replayRange(of: EndpointOf, range: ReplayRange): Promise<number> {
    await this.requireSending(of);
    const { deliveries, clock } = this.adapters;
    const now = clock.now();
    let count = 0;
    let after: DeliveryCursor | undefined;
    do {
      const step = await deliveries.replayStep({ range, now, after, limit: REPLAYED_PER_STEP });
      count += step.count;
      after = step.next;
    } while (after);
    return count;
  }

  /** Sends an example event to this endpoint alone. */
  async test(of: EndpointOf, type: WebhookEventType): Promise<WebhookDelivery> {
    const { endpointId, merchantId } = of;
    await this.requireSending(of);
    const { deliveries, deliverySealer, clock } = this.adapters;
    const at = clock.now();
    const timestamp = new Date(at).toISOString();
    const eventId = `evt_${ulid(at, randomBytes(16))}`;
    const deliveryId = webhookDeliveryId(eventId, endpointId, timestamp);
    const hookId = webhookMessageId(eventId, endpointId, timestamp);
    const body = deliverySealer.sealBody(eventId, exampleBody({ type, eventId, merchantId, timestamp }));
    const isAdded = await deliveries.addTest({ deliveryId, hookId, endpointId, eventId, type, at, body });
    if (!isAdded) throw notYetKnown();
    return this.find(of, deliveryId);
  }

  /**
   * Waits until the delivery has seen that the endpoint is enabled: before that it would send nothing, and say so only by a
   * count of 0.
   */
  private async requireSending(of: EndpointOf): Promise<void> {
    const { status, enabledAt } = await this.requireEndpoint(of);
    if (status === 'Disabled') throw disabled();
    const until = performance.now() + ENDPOINT_KNOWN_WITHIN_MS;
    while ((await this.knownEnabledAt(of)) !== enabledAt) {
      if (performance.now() > until) throw notYetKnown();
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Undefined: the delivery does not know the endpoint yet, or only as disabled. */
  private async knownEnabledAt({ merchantId, endpointId }: EndpointOf): Promise<string | undefined> {
    const [numbers] = await this.adapters.deliveries.numbersOf([merchantId]);
    const known = numbers?.endpoints.find(({ endpoint }) => endpoint.id === endpointId);
    return known?.endpoint.status === 'Enabled' ? known.endpoint.enabledAt : undefined;
  }

  private async requireEndpoint({ merchantId, endpointId }: EndpointOf) {
    return foundEndpoint(await this.endpoints.find(merchantId, 'Managed', endpointId));
  }

  private shown({
    deliveryId: id,
    createdAt,
    nextTryAt,
    tries,
    ...delivery
  }: StoredDelivery): WebhookDelivery {
    const { eventId, eventType, hookId, status } = delivery;
    return {
      ...{ id, eventId, eventType, hookId, status },
      createdAt: new Date(createdAt).toISOString(),
      ...(nextTryAt !== undefined && { nextTryAt: new Date(nextTryAt).toISOString() }),
      tries: tries.map((attempt) => this.shownTry(id, attempt)),
    };
  }

  private shownTry(
    deliveryId: string,
    { at, status, durationMs, answer, error }: DeliveryAttempt,
  ): WebhookDelivery['tries'][number] {
    const opened = answer && this.adapters.deliverySealer.openAnswer(deliveryId, answer);
    return {
      at: new Date(at).toISOString(),
      status: status ?? null,
      durationMs,
      ...(opened && { answer: Buffer.from(opened).toString('utf8') }),
      ...(error !== undefined && { error }),
    };
  }
}

const notYetKnown = (): ApiError =>
  conflict('The delivery of webhooks does not know this endpoint yet. Nothing was sent; try again.');
const noDelivery = (): ApiError => notFound('There is no such delivery.');
const unfit = (message: string): ApiError => new ApiError(400, ErrorCode.InvalidTransactionType, message);
const disabled = (): ApiError => unfit('The endpoint is disabled; enable it first.');
