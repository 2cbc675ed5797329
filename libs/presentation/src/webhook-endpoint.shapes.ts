import type { WebhookEndpoint as WebhookEndpointShape } from '@tillstream/contracts';
import { pick, type WebhookEndpoint } from '@tillstream/domain';

/** Without its secrets. */
export function webhookEndpointShape(endpoint: WebhookEndpoint): WebhookEndpointShape {
  return {
    ...pick(endpoint, 'id', 'method', 'url'),
    eventTypes: [...endpoint.eventTypes],
    ...pick(endpoint, 'description', 'status', 'disabledReason', 'createdAt', 'updatedAt'),
  };
}
