import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  foldWebhookEndpoints,
  noWebhookEndpoints,
  rotateWebhookSecret,
  webhookEndpointsStream,
  type WebhookEndpointDecision,
  type WebhookEndpointEvent,
  type WebhookEndpoints,
} from '@tillstream/domain';
import { newEventId, type EventStore, type JsonObject } from '@tillstream/event-store';

/** Appends events about endpoints of several merchants, as the decider decides them. */
export class EndpointHistories {
  readonly #states = new Map<string, { state: WebhookEndpoints; revision: number }>();
  #count = 0;

  constructor(private readonly store: Pick<EventStore, 'append'>) {}

  /** All endpoints that were created, deleted ones included. */
  readonly created: { readonly merchantId: string; readonly id: string }[] = [];

  async create(
    merchantId: string,
    at: string,
    {
      eventTypes = ['*'],
      method = 'Managed',
      status = 'Enabled',
    }: {
      readonly eventTypes?: readonly string[];
      readonly method?: 'Managed' | 'Legacy';
      readonly status?: 'Enabled' | 'Disabled';
    } = {},
  ): Promise<string> {
    const prefix = method === 'Managed' ? 'whe_' : 'whl_';
    const id = `${prefix}01JQ${String(++this.#count).padStart(22, '0')}`;
    const secret = Buffer.from(`secret of ${id}`).toString('base64');
    const url = `https://receiver.example/${id}`;
    await this.decide(merchantId, (state) =>
      createWebhookEndpoint(state, { at, endpointId: id, method, url, eventTypes, status, secret }),
    );
    this.created.push({ merchantId, id });
    return id;
  }

  setStatus(
    merchantId: string,
    at: string,
    endpointId: string,
    status: 'Enabled' | 'Disabled',
  ): Promise<void> {
    return this.decide(merchantId, (state) => changeWebhookEndpoint(state, { at, endpointId, status }));
  }

  setTypes(merchantId: string, at: string, endpointId: string, eventTypes: readonly string[]): Promise<void> {
    return this.decide(merchantId, (state) => changeWebhookEndpoint(state, { at, endpointId, eventTypes }));
  }

  rotate(merchantId: string, at: string, endpointId: string, secret: string): Promise<void> {
    return this.decide(merchantId, (state) => rotateWebhookSecret(state, { at, endpointId, secret }));
  }

  remove(merchantId: string, at: string, endpointId: string): Promise<void> {
    return this.decide(merchantId, (state) => deleteWebhookEndpoint(state, { at, endpointId }));
  }

  /** Appends what is decided; nothing after a rejection. */
  async decide(
    merchantId: string,
    decide: (state: WebhookEndpoints) => WebhookEndpointDecision,
  ): Promise<void> {
    const { state, revision } = this.#states.get(merchantId) ?? { state: noWebhookEndpoints, revision: -1 };
    const decision = decide(state);
    if (decision.kind === 'Rejected' || decision.events.length === 0) return;
    const { events } = decision;
    const stream = webhookEndpointsStream(merchantId);
    await this.store.append({
      stream,
      expected: revision < 0 ? 'none' : revision,
      events: events.map(toNewEvent),
    });
    this.#states.set(merchantId, {
      state: foldWebhookEndpoints(events, state),
      revision: revision + events.length,
    });
  }
}

function toNewEvent({ type, data }: WebhookEndpointEvent) {
  return {
    id: newEventId(),
    type,
    data: JSON.parse(JSON.stringify(data)) as JsonObject,
    metadata: { schemaVersion: 1 },
  };
}
