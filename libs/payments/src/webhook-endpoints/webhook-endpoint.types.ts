import {
  findWebhookEndpoint,
  isId,
  WEBHOOK_ENDPOINT_PREFIX,
  type WebhookEndpoint,
  type WebhookEndpointCreated,
  type WebhookEndpointRejection,
  type WebhookEndpoints,
  type WebhookMethod,
} from '@tillstream/domain';
import type { ChangeRequest } from '../operators/provisioning.js';
import type { Ports } from '../parts.js';
import type { Actor } from '../requests/request.types.js';
import type { NewSecret, SecretSealer, UrlRules } from './webhook-endpoints.ports.js';

export type WebhookRejection =
  | WebhookEndpointRejection
  | {
      readonly code: 'MerchantNotFound' | 'UrlNotAllowed';
      readonly message: string;
      readonly details?: string;
    };

/** A rule rejected the change. Nothing was stored. */
export class WebhookEndpointRejected extends Error {
  override readonly name = 'WebhookEndpointRejected';
  constructor(readonly rejection: WebhookRejection) {
    super(rejection.message);
  }
}

export interface WebhookEndpointParts extends Pick<Ports, 'store' | 'clock'>, UrlRules {
  readonly sealer: SecretSealer;
  readonly newSecret: NewSecret;
}

/** Whose endpoints change, and who changes them. Endpoints of another method are not found. */
export interface WebhookEndpointRequest extends ChangeRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  readonly method: WebhookMethod;
}

export interface NewWebhookEndpoint extends Pick<
  WebhookEndpointCreated,
  'url' | 'eventTypes' | 'description'
> {
  /** Default: `Enabled`. */
  readonly status?: WebhookEndpointCreated['status'];
  /** Left out: a new one is made. */
  readonly secret?: string;
}

export interface WebhookEndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  /** In clear: only the response to this request has it. */
  readonly secret: string;
}

/** @throws WebhookEndpointRejected for the id of an endpoint of the other method */
export function requireMethod({ method }: WebhookEndpointRequest, endpointId: string): void {
  if (!isId(WEBHOOK_ENDPOINT_PREFIX[method], endpointId)) throw endpointNotFound();
}

/** @throws WebhookEndpointRejected if there is none */
export function requireEndpoint(state: WebhookEndpoints, endpointId: string): WebhookEndpoint {
  const endpoint = findWebhookEndpoint(state, endpointId);
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}

const endpointNotFound = (): WebhookEndpointRejected =>
  new WebhookEndpointRejected({ code: 'EndpointNotFound', message: 'There is no such webhook endpoint.' });
