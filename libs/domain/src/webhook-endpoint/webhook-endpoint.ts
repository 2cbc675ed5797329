import { eventCodec, evolveBy, foldOf, ImpossibleHistory, type Event } from '../shared/aggregate.js';
import { isId } from '../shared/ids.js';
import type { WebhookMethod } from './webhook-event.types.js';

/*
 * The webhook endpoints of one merchant (`docs/spec/webhooks.md#managed-endpoints`). Stream
 * `webhookendpoints-<mer_ id>`: a merchant has few endpoints, and a limit on their number.
 */

export const WEBHOOK_ENDPOINTS_CATEGORY = 'webhookendpoints';

export const webhookEndpointsStream = (merchantId: string): string =>
  `${WEBHOOK_ENDPOINTS_CATEGORY}-${merchantId}`;

/** The `mer_` id in the stream's name. */
export function merchantOfWebhookEndpoints(stream: string): string {
  return stream.slice(WEBHOOK_ENDPOINTS_CATEGORY.length + 1);
}

export const WEBHOOK_ENDPOINT_PREFIX: Readonly<Record<WebhookMethod, string>> = {
  Managed: 'whe_',
  Legacy: 'whl_',
};

/** Base64 of a secret that is encrypted for its endpoint: no event has a secret in clear. */
export type SealedSecret = string;

export type WebhookEndpointStatus = 'Enabled' | 'Disabled';

/** `Gone`: it answered 410. `Failing`: it is managed and had no success for 5 days. */
export type DisabledReason = 'Gone' | 'Failing';

/** Storage: these shapes never change (docs/adr/0014). */
export type WebhookEndpointEvent =
  | Event<'WebhookEndpointCreated', WebhookEndpointCreated>
  | Event<'WebhookEndpointChanged', WebhookEndpointChanged>
  | Event<'WebhookEndpointEnabled', OfWebhookEndpoint>
  | Event<'WebhookEndpointDisabled', WebhookEndpointDisabled>
  | Event<'WebhookSecretRotated', WebhookSecretRotated>
  | Event<'WebhookEndpointDeleted', OfWebhookEndpoint>;

export interface OfWebhookEndpoint {
  readonly at: string;
  /** `whe_…`, of a legacy endpoint `whl_…`. */
  readonly endpointId: string;
}

export interface WebhookEndpointCreated extends OfWebhookEndpoint {
  readonly method: WebhookMethod;
  readonly url: string;
  /** Types of events, or `*`. */
  readonly eventTypes: readonly string[];
  readonly description?: string;
  readonly status: WebhookEndpointStatus;
  readonly secret: SealedSecret;
}

/** Has the fields that differ; `eventTypes` as a whole. */
export interface WebhookEndpointChanged
  extends OfWebhookEndpoint, Partial<Pick<WebhookEndpointCreated, 'url' | 'eventTypes' | 'description'>> {}

export interface WebhookEndpointDisabled extends OfWebhookEndpoint {
  /** Absent: the merchant or an operator disabled it. */
  readonly reason?: DisabledReason;
}

export interface WebhookSecretRotated extends OfWebhookEndpoint {
  readonly secret: SealedSecret;
  /** Until then the secret before this one signs too. */
  readonly oldSecretUntil: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const webhookEndpointCodec = eventCodec<WebhookEndpointEvent>({
  types: {
    WebhookEndpointCreated: [],
    WebhookEndpointChanged: [],
    WebhookEndpointEnabled: [],
    WebhookEndpointDisabled: [],
    WebhookSecretRotated: [],
    WebhookEndpointDeleted: [],
  },
});

export interface WebhookEndpoint extends Omit<WebhookEndpointCreated, 'at' | 'endpointId'> {
  readonly id: string;
  /** Of a disabled endpoint. Absent: the merchant or an operator disabled it. */
  readonly disabledReason?: DisabledReason;
  /** The secret before the last rotation. It signs too until this time. */
  readonly oldSecret?: { readonly secret: SealedSecret; readonly until: string };
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The last time when it was enabled. Absent: never, since it was created disabled. */
  readonly enabledAt?: string;
}

/** Without the deleted ones, in the order of creation. */
export interface WebhookEndpoints {
  readonly endpoints: readonly WebhookEndpoint[];
}

export const noWebhookEndpoints: WebhookEndpoints = { endpoints: [] };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export const evolveWebhookEndpoints = evolveBy<WebhookEndpoints, WebhookEndpointEvent>({
  WebhookEndpointCreated: ({ endpoints }, { at, endpointId: id, ...data }) => {
    if (!isId(WEBHOOK_ENDPOINT_PREFIX[data.method], id))
      throw new ImpossibleHistory(`${id} can not be the id of an endpoint of method ${data.method}`);
    if (findWebhookEndpoint({ endpoints }, id)) throw new ImpossibleHistory(`${id} is created once`);
    const enabled = data.status === 'Enabled' ? { enabledAt: at } : {};
    return { endpoints: [...endpoints, { ...data, ...enabled, id, createdAt: at, updatedAt: at }] };
  },
  WebhookEndpointChanged: (state, { at, endpointId, ...change }) =>
    replace(state, { at, endpointId }, (endpoint) => ({ ...endpoint, ...change })),
  WebhookEndpointEnabled: (state, { at, endpointId }) =>
    replace(state, { at, endpointId }, ({ disabledReason: _reason, ...endpoint }) => {
      if (endpoint.status === 'Enabled') throw new ImpossibleHistory(`${endpointId} was enabled already`);
      return { ...endpoint, status: 'Enabled', enabledAt: at };
    }),
  WebhookEndpointDisabled: (state, { at, endpointId, reason }) =>
    replace(state, { at, endpointId }, (endpoint) => {
      if (endpoint.status === 'Disabled') throw new ImpossibleHistory(`${endpointId} was disabled already`);
      if (reason === 'Failing' && endpoint.method === 'Legacy')
        throw new ImpossibleHistory(`${endpointId} is a legacy endpoint, which failures never disable`);
      return { ...endpoint, status: 'Disabled', ...(reason && { disabledReason: reason }) };
    }),
  WebhookSecretRotated: (state, { at, endpointId, secret, oldSecretUntil: until }) =>
    replace(state, { at, endpointId }, (endpoint) => ({
      ...endpoint,
      secret,
      oldSecret: { secret: endpoint.secret, until },
    })),
  WebhookEndpointDeleted: ({ endpoints }, { endpointId }) => {
    requireEndpoint({ endpoints }, endpointId);
    return { endpoints: endpoints.filter(({ id }) => id !== endpointId) };
  },
});

export const foldWebhookEndpoints = foldOf(evolveWebhookEndpoints, noWebhookEndpoints);

export function findWebhookEndpoint(
  { endpoints }: WebhookEndpoints,
  endpointId: string,
): WebhookEndpoint | undefined {
  return endpoints.find(({ id }) => id === endpointId);
}

/** The secrets that sign an attempt at this time, the newest first: one, or two after a rotation. */
export function signingSecrets({ secret, oldSecret }: WebhookEndpoint, at: string): readonly SealedSecret[] {
  return oldSecret && at < oldSecret.until ? [secret, oldSecret.secret] : [secret];
}

function requireEndpoint(state: WebhookEndpoints, endpointId: string): WebhookEndpoint {
  const endpoint = findWebhookEndpoint(state, endpointId);
  if (!endpoint) throw new ImpossibleHistory(`${endpointId} does not exist`);
  return endpoint;
}

function replace(
  state: WebhookEndpoints,
  { at: updatedAt, endpointId }: OfWebhookEndpoint,
  change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
): WebhookEndpoints {
  const before = requireEndpoint(state, endpointId);
  const after = { ...change(before), updatedAt };
  return { endpoints: state.endpoints.map((endpoint) => (endpoint === before ? after : endpoint)) };
}
