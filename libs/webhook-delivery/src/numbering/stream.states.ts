import { LRUCache } from 'lru-cache';
import {
  evolveMerchantApplication,
  evolvePayment,
  evolvePricingTemplates,
  evolveToken,
  evolveWebhookEndpoints,
  MERCHANT_APPLICATION_CATEGORY,
  merchantApplicationCodec,
  noMerchantApplication,
  noPayment,
  noPricingTemplates,
  noToken,
  noWebhookEndpoints,
  PAYMENT_CATEGORY,
  paymentCodec,
  PRICING_TEMPLATES_CATEGORY,
  pricingTemplateCodec,
  TOKEN_CATEGORY,
  tokenCodec,
  WEBHOOK_ENDPOINTS_CATEGORY,
  webhookEndpointCodec,
  type EventCodec,
  type MerchantApplication,
  type MerchantApplicationEvent,
  type PaymentEvent,
  type PaymentState,
  type PricingTemplateEvent,
  type PricingTemplates,
  type TokenEvent,
  type TokenState,
  type WebhookEndpointEvent,
  type WebhookEndpoints,
} from '@tillstream/domain';
import { streamCategory, type EventStore, type RecordedEvent } from '@tillstream/event-store';

/** One stored event, with the stream's states before and after it. */
export type FoldedEvent =
  | FoldedIn<typeof PAYMENT_CATEGORY, PaymentState, PaymentEvent>
  | FoldedIn<typeof TOKEN_CATEGORY, TokenState, TokenEvent>
  | FoldedIn<typeof MERCHANT_APPLICATION_CATEGORY, MerchantApplication, MerchantApplicationEvent>
  | FoldedIn<typeof PRICING_TEMPLATES_CATEGORY, PricingTemplates, PricingTemplateEvent>
  | FoldedIn<typeof WEBHOOK_ENDPOINTS_CATEGORY, WebhookEndpoints, WebhookEndpointEvent>;

interface FoldedIn<Category, State, Event> {
  readonly category: Category;
  readonly before: State;
  readonly event: Event;
  readonly after: State;
}

/** The categories whose events make webhook events, or endpoints. */
export const NUMBERED_CATEGORIES = [
  PAYMENT_CATEGORY,
  TOKEN_CATEGORY,
  MERCHANT_APPLICATION_CATEGORY,
  PRICING_TEMPLATES_CATEGORY,
  WEBHOOK_ENDPOINTS_CATEGORY,
] as const;
type NumberedCategory = (typeof NUMBERED_CATEGORIES)[number];

interface Source {
  readonly initial: unknown;
  readonly codec: EventCodec<{ readonly type: string; readonly data: object }>;
  readonly evolve: (state: unknown, event: unknown) => unknown;
}

const SOURCES = {
  [PAYMENT_CATEGORY]: { initial: noPayment, codec: paymentCodec, evolve: evolvePayment },
  [TOKEN_CATEGORY]: { initial: noToken, codec: tokenCodec, evolve: evolveToken },
  [MERCHANT_APPLICATION_CATEGORY]: {
    initial: noMerchantApplication,
    codec: merchantApplicationCodec,
    evolve: evolveMerchantApplication,
  },
  [PRICING_TEMPLATES_CATEGORY]: {
    initial: noPricingTemplates,
    codec: pricingTemplateCodec,
    evolve: evolvePricingTemplates,
  },
  [WEBHOOK_ENDPOINTS_CATEGORY]: {
    initial: noWebhookEndpoints,
    codec: webhookEndpointCodec,
    evolve: evolveWebhookEndpoints,
  },
} as unknown as Readonly<Record<NumberedCategory, Source>>;

const STATES_MAX = 4_000;

/**
 * The state of a stream at each of its events, and never later. Streams that were folded last are kept: the next events
 * mostly belong to streams that began shortly before. Others are read again up to the event.
 */
export class StreamStates {
  readonly #states = new LRUCache<string, { readonly state: unknown; readonly revision: number }>({
    max: STATES_MAX,
  });

  constructor(private readonly store: Pick<EventStore, 'readStream'>) {}

  /** @throws UnknownEvent, ImpossibleHistory, and the store's errors */
  async fold(recorded: RecordedEvent): Promise<FoldedEvent> {
    const { stream, revision } = recorded;
    const category = streamCategory(stream) as NumberedCategory;
    const source = SOURCES[category];
    const before = await this.#stateBefore(source, stream, revision);
    const event = decode(source, recorded);
    const after = source.evolve(before, event);
    this.#states.set(stream, { state: after, revision });
    return { category, before, event, after } as FoldedEvent;
  }

  async #stateBefore(source: Source, stream: string, revision: number): Promise<unknown> {
    if (revision === 0) return source.initial;
    const known = this.#states.get(stream);
    if (known?.revision === revision - 1) return known.state;
    const isEarlier = known !== undefined && known.revision < revision;
    let state = isEarlier ? known.state : source.initial;
    let from = isEarlier ? known.revision + 1 : 0;
    while (from < revision) {
      const { events } = await this.store.readStream(stream, {
        from,
        limit: Math.min(revision - from, 1_000),
      });
      if (events.length === 0) throw new Error(`${stream} ends before its event ${revision}`);
      for (const event of events) state = source.evolve(state, decode(source, event));
      from += events.length;
    }
    return state;
  }
}

function decode({ codec }: Source, { type, data, metadata }: RecordedEvent) {
  const { schemaVersion } = metadata;
  // 0, which no event has, if the metadata has none.
  return codec.decode({ type, data, schemaVersion: typeof schemaVersion === 'number' ? schemaVersion : 0 });
}
