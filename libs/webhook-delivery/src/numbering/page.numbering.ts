import { subscribesTo } from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';
import { webhookEventOfApplication, webhookEventOfPricing } from '../events/lifecycle.events.js';
import {
  applicationContent,
  paymentContent,
  pricingContent,
  tokenContent,
  webhookBody,
  type WebhookContent,
} from '../events/webhook.body.js';
import { webhookEventOfPayment, webhookEventOfToken, type WebhookEvent } from '../events/webhook.events.js';
import { webhookDeliveryId, webhookEventId, webhookMessageId } from '../events/webhook.ids.js';
import { BODY_LIFETIME_MS, type EndpointChange, type NumberedPage } from '../delivery.store.port.js';
import type { NewDelivery, NumberedEvent } from '../delivery.types.js';
import { applyEndpointChange, type Numbers } from './merchant.numbers.js';
import type { FoldedEvent } from './stream.states.js';

/** Encrypts a body. Only the holder of the key and of the same `eventId` can decrypt it. */
export interface BodySealer {
  sealBody(eventId: string, body: Uint8Array): Uint8Array;
}

type PageChanges = Pick<NumberedPage, 'endpoints' | 'sequences' | 'events'>;

/** Numbers the events of one page, in order: a function of history, and of the numbers before the page. */
export class PageNumbering {
  readonly #endpoints = new Map<string, EndpointChange>();
  readonly #sequences = new Map<string, number>();
  readonly #events: NumberedEvent[] = [];

  /** `now`: ms by the service clock. */
  constructor(
    private readonly numbers: ReadonlyMap<string, Numbers>,
    private readonly sealer: BodySealer,
    private readonly now: number,
  ) {}

  get changes(): PageChanges {
    return { endpoints: [...this.#endpoints.values()], sequences: this.#sequences, events: this.#events };
  }

  /** `merchantId`: of the stream. */
  changeEndpoint(
    { event, after }: Extract<FoldedEvent, { category: 'webhookendpoints' }>,
    merchantId: string,
  ): void {
    const { endpointId } = event.data;
    const endpoint = after.endpoints.find(({ id }) => id === endpointId);
    const change: EndpointChange = endpoint
      ? { kind: 'Put', endpoint: { ...endpoint, merchantId } }
      : { kind: 'Remove', endpointId };
    applyEndpointChange(this.#numbersOf(merchantId), change);
    this.#endpoints.set(endpointId, change);
  }

  /** Counts the event for its merchant, and makes a delivery for each endpoint that subscribes to it. */
  number(
    recorded: Pick<RecordedEvent, 'id'>,
    webhookEvent: WebhookEvent,
    content: () => WebhookContent,
  ): void {
    const { type, merchantId, timestamp } = webhookEvent;
    const numbers = this.#numbersOf(merchantId);
    const sequence = ++numbers.sequence;
    this.#sequences.set(merchantId, sequence);
    const subscribed = [...numbers.endpoints.values()].filter(({ endpoint }) => subscribesTo(endpoint, type));
    if (subscribed.length === 0) return;
    const at = Date.parse(timestamp);
    const eventId = webhookEventId(recorded.id, webhookEvent);
    const isSent = this.now - at < BODY_LIFETIME_MS;
    const body = (): Uint8Array =>
      this.sealer.sealBody(
        eventId,
        webhookBody({ eventId, type, timestamp, merchantId, sequence }, content()),
      );
    const deliveries = subscribed.map((counted): NewDelivery => {
      const { id: endpointId, status, enabledAt } = counted.endpoint;
      return {
        deliveryId: webhookDeliveryId(eventId, endpointId, timestamp),
        hookId: webhookMessageId(eventId, endpointId, timestamp),
        endpointId,
        hookSequence: ++counted.hookSequence,
        status: status === 'Enabled' && isSent ? 'Pending' : 'Exhausted',
        ...(enabledAt !== undefined && { enabledAt }),
      };
    });
    const sealed = isSent ? { body: body() } : {};
    this.#events.push({ eventId, merchantId, type, sequence, at, ...sealed, deliveries });
  }

  #numbersOf(merchantId: string): Numbers {
    const numbers = this.numbers.get(merchantId);
    if (!numbers) throw new Error(`the numbers of ${merchantId} are not loaded`);
    return numbers;
  }
}

/** Numbers what one folded event makes, if anything. `merchantId`: of the stream. */
export function numberFolded(
  page: PageNumbering,
  recorded: RecordedEvent,
  folded: FoldedEvent,
  merchantId: string,
): void {
  if (folded.category === 'webhookendpoints') {
    page.changeEndpoint(folded, merchantId);
    return;
  }
  const made = madeBy(folded, merchantId);
  if (made) page.number(recorded, made.webhookEvent, made.content);
}

interface Made {
  readonly webhookEvent: WebhookEvent;
  readonly content: () => WebhookContent;
}

function madeBy(
  folded: Exclude<FoldedEvent, { readonly category: 'webhookendpoints' }>,
  merchantId: string,
): Made | undefined {
  const made = <Event extends WebhookEvent>(
    webhookEvent: Event | undefined,
    content: (subjectId: Event['subjectId']) => WebhookContent,
  ): Made | undefined => webhookEvent && { webhookEvent, content: () => content(webhookEvent.subjectId) };
  switch (folded.category) {
    case 'payment': {
      const { before, event, after } = folded;
      return made(webhookEventOfPayment(before, event, after), (id) => paymentContent(after, id));
    }
    case 'token': {
      const { before, event, after } = folded;
      return made(webhookEventOfToken(before, event, after), (id) => tokenContent(after, id));
    }
    case 'merchantapplication': {
      const { event, after } = folded;
      return made(webhookEventOfApplication(merchantId, event, after), () => applicationContent(after));
    }
    case 'pricingtemplates': {
      const { event, after } = folded;
      return made(webhookEventOfPricing(event, after), (id) => pricingContent(after, id));
    }
  }
}
