import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '@tillstream/contracts';
import { EVENT_TYPES_OF, ulid, type WebhookEndpoint, type WebhookEventType } from '@tillstream/domain';
import type { DeliveryStore, ReplayRange } from '../delivery.store.port.js';
import type {
  DeliveryAttempt,
  DeliveryCursor,
  DeliveryFilter,
  DeliveryOrder,
  StoredDelivery,
} from '../delivery.types.js';
import { webhookDeliveryId, webhookMessageId } from '../events/webhook.ids.js';
import { exampleBody } from './example.body.js';

/** Deliveries of one transaction. The process does other work between two of them. */
const REPLAYED_PER_STEP = 500;
/** The dispatcher learns of a new endpoint by its event, some milliseconds later. */
const ENDPOINT_KNOWN_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 50;

export type DeliveryRejectionCode =
  | 'EndpointNotFound'
  | 'DeliveryNotFound'
  | 'EndpointDisabled'
  | 'EventTypeUnknown'
  | 'BodyDeleted'
  /** The dispatcher has not seen the endpoint as it is now. Try again. */
  | 'NotYetKnown';

const MESSAGES: Readonly<Record<DeliveryRejectionCode, string>> = {
  EndpointNotFound: 'There is no such webhook endpoint.',
  DeliveryNotFound: 'There is no such delivery.',
  EndpointDisabled: 'The endpoint is disabled; enable it first.',
  EventTypeUnknown: 'An endpoint of this method does not get events of this type.',
  BodyDeleted: 'The body of the event was deleted after 30 days; it can not be sent again.',
  NotYetKnown: 'The delivery of webhooks does not know this endpoint yet. Nothing was sent; try again.',
};

/** A rule rejected the request. Nothing was sent. */
export class DeliveryRejected extends Error {
  override readonly name = 'DeliveryRejected';
  constructor(readonly code: DeliveryRejectionCode) {
    super(MESSAGES[code]);
  }
}

/** A merchant's endpoint. */
export interface EndpointOf {
  readonly merchantId: string;
  readonly endpointId: string;
}

export interface DeliveryListRequest {
  readonly filter: Omit<DeliveryFilter, 'endpointId'>;
  readonly after: DeliveryCursor | undefined;
  readonly limit: number;
  readonly order: DeliveryOrder;
  /** Counts what fits, up to this number. */
  readonly totalMax?: number;
}

/** Those that failed since a time, or those of a range; ms since 1970. */
export type ChosenDeliveries =
  { readonly failedSince: number } | { readonly from: number; readonly to: number };

export interface DeliveryList {
  readonly items: readonly WebhookDelivery[];
  /** Where the next page begins. */
  readonly next: DeliveryCursor | undefined;
  readonly total?: { readonly count: number; readonly isAtLeast: boolean };
}

export interface EndpointDeliveriesParts {
  /** Undefined: the merchant has no such endpoint that the caller may see. */
  findEndpoint(of: EndpointOf): Promise<WebhookEndpoint | undefined>;
  readonly deliveries: DeliveryStore;
  readonly sealer: {
    sealBody(eventId: string, body: Uint8Array): Uint8Array;
    /** Undefined: it can't be opened. */
    openAnswer(deliveryId: string, sealed: Uint8Array): Uint8Array | undefined;
  };
  readonly clock: { now(): number };
}

/**
 * The deliveries of merchants' endpoints for merchants and operators (`docs/spec/webhooks.md#deliveries`). Every method
 * rejects with `DeliveryRejected` for an endpoint that `findEndpoint` does not find.
 */
export class EndpointDeliveries {
  constructor(private readonly parts: EndpointDeliveriesParts) {}

  async list(
    of: EndpointOf,
    { filter: chosen, after, limit, order, totalMax }: DeliveryListRequest,
  ): Promise<DeliveryList> {
    await this.requireEndpoint(of);
    const { deliveries } = this.parts;
    const filter = { ...chosen, endpointId: of.endpointId };
    const found = await deliveries.list(filter, after, limit + 1, order);
    const count = totalMax === undefined ? undefined : await deliveries.count(filter, totalMax + 1);
    return {
      items: found.slice(0, limit).map((delivery) => this.shown(delivery)),
      next: found.length > limit ? found[limit - 1] : undefined,
      ...(count !== undefined &&
        totalMax !== undefined && {
          total: { count: Math.min(count, totalMax), isAtLeast: count > totalMax },
        }),
    };
  }

  async find(of: EndpointOf, deliveryId: string): Promise<WebhookDelivery> {
    await this.requireEndpoint(of);
    const delivery = await this.parts.deliveries.find(of.endpointId, deliveryId);
    if (!delivery) throw new DeliveryRejected('DeliveryNotFound');
    return this.shown(delivery);
  }

  /** One more attempt with the same ids and bytes. */
  async replay(of: EndpointOf, deliveryId: string): Promise<WebhookDelivery> {
    await this.requireSending(of);
    const { deliveries, clock } = this.parts;
    const result = await deliveries.replay(of.endpointId, deliveryId, clock.now());
    if (result.kind === 'Replayed') return this.shown(result.delivery);
    throw new DeliveryRejected(result.kind === 'NotFound' ? 'DeliveryNotFound' : result.kind);
  }

  /**
   * Returns the number of deliveries that are sent again. Those whose body is too old are left out.
   * @param onProgress gets the number so far, after each step
   */
  async replayRange(
    of: EndpointOf,
    chosen: ChosenDeliveries,
    onProgress: (count: number) => void = () => undefined,
  ): Promise<number> {
    await this.requireSending(of);
    const { deliveries, clock } = this.parts;
    const now = clock.now();
    const range: ReplayRange = { ...chosen, endpointId: of.endpointId };
    let count = 0;
    let after: DeliveryCursor | undefined;
    do {
      const step = await deliveries.replayStep({ range, now, after, limit: REPLAYED_PER_STEP });
      count += step.count;
      after = step.next;
      onProgress(count);
    } while (after);
    return count;
  }

  /** Sends an example event to this endpoint alone. */
  async test(of: EndpointOf, type: WebhookEventType): Promise<WebhookDelivery> {
    const { endpointId, merchantId } = of;
    const { method } = await this.requireSending(of);
    if (!EVENT_TYPES_OF[method].includes(type)) throw new DeliveryRejected('EventTypeUnknown');
    const { deliveries, sealer, clock } = this.parts;
    const at = clock.now();
    const timestamp = new Date(at).toISOString();
    const eventId = `evt_${ulid(at, randomBytes(16))}`;
    const deliveryId = webhookDeliveryId(eventId, endpointId, timestamp);
    const hookId = webhookMessageId(eventId, endpointId, timestamp);
    const body = sealer.sealBody(eventId, exampleBody({ type, eventId, merchantId, timestamp }));
    const isAdded = await deliveries.addTest({ deliveryId, hookId, endpointId, eventId, type, at, body });
    if (!isAdded) throw new DeliveryRejected('NotYetKnown');
    return this.find(of, deliveryId);
  }

  /**
   * Waits until the delivery has seen that the endpoint is enabled: before that it would send nothing, and say so only by a
   * count of 0.
   */
  private async requireSending(of: EndpointOf): Promise<WebhookEndpoint> {
    const endpoint = await this.requireEndpoint(of);
    if (endpoint.status === 'Disabled') throw new DeliveryRejected('EndpointDisabled');
    const until = performance.now() + ENDPOINT_KNOWN_WITHIN_MS;
    while ((await this.knownEnabledAt(of)) !== endpoint.enabledAt) {
      if (performance.now() > until) throw new DeliveryRejected('NotYetKnown');
      await sleep(LOOK_EVERY_MS);
    }
    return endpoint;
  }

  /** Undefined: the delivery does not know the endpoint yet, or only as disabled. */
  private async knownEnabledAt({ merchantId, endpointId }: EndpointOf): Promise<string | undefined> {
    const [numbers] = await this.parts.deliveries.numbersOf([merchantId]);
    const known = numbers?.endpoints.find(({ endpoint }) => endpoint.id === endpointId);
    return known?.endpoint.status === 'Enabled' ? known.endpoint.enabledAt : undefined;
  }

  private async requireEndpoint(of: EndpointOf): Promise<WebhookEndpoint> {
    const endpoint = await this.parts.findEndpoint(of);
    if (!endpoint) throw new DeliveryRejected('EndpointNotFound');
    return endpoint;
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
    const opened = answer && this.parts.sealer.openAnswer(deliveryId, answer);
    return {
      at: new Date(at).toISOString(),
      status: status ?? null,
      durationMs,
      ...(opened && { answer: Buffer.from(opened).toString('utf8') }),
      ...(error !== undefined && { error }),
    };
  }
}
