import { accepted, rejected, type Decision, type Rejected } from '../shared/aggregate.js';
import {
  findWebhookEndpoint,
  type DisabledReason,
  type OfWebhookEndpoint,
  type SealedSecret,
  type WebhookEndpoint,
  type WebhookEndpointChanged,
  type WebhookEndpointCreated,
  type WebhookEndpointEvent,
  type WebhookEndpoints,
  type WebhookEndpointStatus,
} from './webhook-endpoint.js';
import { ALL_EVENT_TYPES, EVENT_TYPES_OF, type WebhookMethod } from './webhook-event.types.js';

/** Limit of endpoints of one merchant, legacy ones included (`docs/spec/webhooks.md#managed-endpoints`). */
export const MAX_WEBHOOK_ENDPOINTS = 50;
/** Code points. */
export const MAX_WEBHOOK_URL_LENGTH = 2_048;
/** How long the old secret signs too after a rotation (`docs/spec/webhooks.md#managed-signature`). */
export const OLD_SECRET_LIFETIME_MS = 24 * 3_600_000;

export interface WebhookEndpointRejection {
  readonly code:
    | 'EndpointNotFound'
    | 'TooManyEndpoints'
    | 'EventTypesMissing'
    | 'EventTypeUnknown'
    | 'UrlTooLong'
    /** Failures never disable a legacy endpoint. */
    | 'NeverFailing';
  readonly message: string;
  /** The received and the allowed value. */
  readonly details?: string;
}

export type WebhookEndpointDecision = Decision<WebhookEndpointEvent, WebhookEndpointRejection>;
type Rejection = Rejected<WebhookEndpointRejection> | undefined;

export interface WebhookEndpointChange extends WebhookEndpointChanged {
  readonly status?: WebhookEndpointStatus;
}

const acceptedWith = (...events: WebhookEndpointEvent[]): WebhookEndpointDecision =>
  accepted(events, undefined);
const endpointNotFound = (): WebhookEndpointDecision =>
  reject('EndpointNotFound', 'There is no such webhook endpoint.');

/** Adds no event if the endpoint exists: the same command was executed before. */
export function createWebhookEndpoint(
  state: WebhookEndpoints,
  data: WebhookEndpointCreated,
): WebhookEndpointDecision {
  if (findWebhookEndpoint(state, data.endpointId)) return acceptedWith();
  const count = state.endpoints.length;
  if (count >= MAX_WEBHOOK_ENDPOINTS) {
    const details = `received one more than ${count}, allowed ${MAX_WEBHOOK_ENDPOINTS}`;
    const message = 'The merchant has as many webhook endpoints as it can have; delete one first.';
    return reject('TooManyEndpoints', message, details);
  }
  return (
    rejectUnfit(data.method, data) ??
    acceptedWith({
      type: 'WebhookEndpointCreated',
      data: { ...data, eventTypes: withoutRepeats(data.eventTypes) },
    })
  );
}

/** The events have what differs; `eventTypes` is replaced as a whole, and its order does not matter. */
export function changeWebhookEndpoint(
  state: WebhookEndpoints,
  { at, endpointId, status, ...change }: WebhookEndpointChange,
): WebhookEndpointDecision {
  const endpoint = findWebhookEndpoint(state, endpointId);
  if (!endpoint) return endpointNotFound();
  const unfit = rejectUnfit(endpoint.method, change);
  if (unfit) return unfit;
  const fields = differing(endpoint, change);
  const events: WebhookEndpointEvent[] =
    Object.keys(fields).length === 0
      ? []
      : [{ type: 'WebhookEndpointChanged', data: { at, endpointId, ...fields } }];
  if (status === 'Enabled' && endpoint.status !== status)
    events.push({ type: 'WebhookEndpointEnabled', data: { at, endpointId } });
  if (status === 'Disabled' && endpoint.status !== status)
    events.push({ type: 'WebhookEndpointDisabled', data: { at, endpointId } });
  return acceptedWith(...events);
}

/** What an attempt, or five days of failures, showed about an endpoint as it was then. */
export interface AutomaticDisabling extends OfWebhookEndpoint {
  readonly reason: DisabledReason;
  /** The address that answered 410, or that failed. */
  readonly url: string;
  /** When the endpoint that was observed had been enabled last. */
  readonly enabledAt?: string;
}

/**
 * Adds no event if the endpoint is disabled or deleted already, or if it has another address or was enabled again: what was
 * observed is then not about the endpoint as it is now (`docs/spec/webhooks.md#disabling`).
 */
export function disableWebhookEndpoint(
  state: WebhookEndpoints,
  { at, endpointId, reason, url, enabledAt }: AutomaticDisabling,
): WebhookEndpointDecision {
  const endpoint = findWebhookEndpoint(state, endpointId);
  if (endpoint?.status !== 'Enabled' || endpoint.url !== url || endpoint.enabledAt !== enabledAt)
    return acceptedWith();
  if (reason === 'Failing' && endpoint.method === 'Legacy')
    return reject('NeverFailing', 'Failures do not disable a legacy endpoint.');
  return acceptedWith({ type: 'WebhookEndpointDisabled', data: { at, endpointId, reason } });
}

/**
 * The old secret of a managed endpoint signs too for 24 h; that of a legacy endpoint stops at once, since its signature
 * has room for one secret.
 */
export function rotateWebhookSecret(
  state: WebhookEndpoints,
  { at, endpointId, secret }: OfWebhookEndpoint & { readonly secret: SealedSecret },
): WebhookEndpointDecision {
  const endpoint = findWebhookEndpoint(state, endpointId);
  if (!endpoint) return endpointNotFound();
  const lifetime = endpoint.method === 'Managed' ? OLD_SECRET_LIFETIME_MS : 0;
  const oldSecretUntil = new Date(Date.parse(at) + lifetime).toISOString();
  return acceptedWith({ type: 'WebhookSecretRotated', data: { at, endpointId, secret, oldSecretUntil } });
}

/** A deleted endpoint counts as not found. */
export function deleteWebhookEndpoint(
  state: WebhookEndpoints,
  { at, endpointId }: OfWebhookEndpoint,
): WebhookEndpointDecision {
  if (!findWebhookEndpoint(state, endpointId)) return endpointNotFound();
  return acceptedWith({ type: 'WebhookEndpointDeleted', data: { at, endpointId } });
}

function rejectUnfit(
  method: WebhookMethod,
  { url, eventTypes }: Partial<Pick<WebhookEndpointCreated, 'url' | 'eventTypes'>>,
): Rejection {
  const length = url === undefined ? 0 : [...url].length;
  if (length > MAX_WEBHOOK_URL_LENGTH) {
    const details = `received ${length} characters, allowed ${MAX_WEBHOOK_URL_LENGTH}`;
    return reject('UrlTooLong', 'The address of the endpoint is too long.', details);
  }
  if (eventTypes?.length === 0)
    return reject(
      'EventTypesMissing',
      'A webhook endpoint names at least one type of event.',
      'received none',
    );
  const allowed: readonly string[] = [ALL_EVENT_TYPES, ...EVENT_TYPES_OF[method]];
  const unknown = eventTypes?.filter((type) => !allowed.includes(type)) ?? [];
  if (unknown.length === 0) return undefined;
  const details = `received ${unknown.join(', ')}, allowed ${allowed.join(', ')}`;
  return reject(
    'EventTypeUnknown',
    `A ${method.toLowerCase()} endpoint can not have these event types.`,
    details,
  );
}

function differing(
  endpoint: WebhookEndpoint,
  { url, eventTypes, description }: Omit<WebhookEndpointChanged, 'at' | 'endpointId'>,
): Omit<WebhookEndpointChanged, 'at' | 'endpointId'> {
  const types = eventTypes && withoutRepeats(eventTypes);
  const key = (names: readonly string[]) => [...names].sort().join(' ');
  return {
    ...(url !== undefined && url !== endpoint.url && { url }),
    ...(types && key(types) !== key(endpoint.eventTypes) && { eventTypes: types }),
    ...(description !== undefined && description !== endpoint.description && { description }),
  };
}

const withoutRepeats = (names: readonly string[]): readonly string[] => [...new Set(names)];

function reject(
  code: WebhookEndpointRejection['code'],
  message: string,
  details?: string,
): Rejected<WebhookEndpointRejection> {
  return rejected({ code, message, ...(details !== undefined && { details }) });
}
