import { signLegacy, signManaged } from '@tillstream/webhooks';
import type { ClaimedDelivery, DeliveryEndpoint } from '../delivery.types.js';
import type { DeliveryRequest } from './posted.delivery.js';

export interface OpenedDelivery {
  readonly endpoint: DeliveryEndpoint;
  readonly delivery: ClaimedDelivery;
  readonly body: Uint8Array;
  /** The current one first. */
  readonly secrets: readonly string[];
}

const MS_PER_SECOND = 1_000;

/**
 * The signed request of one attempt (`docs/spec/webhooks.md#managed-signature`).
 * @param realNow ms of real time, which is signed
 */
export function attemptRequest(opened: OpenedDelivery, realNow: number, userAgent: string): DeliveryRequest {
  const { endpoint, delivery, body } = opened;
  const signature = endpoint.method === 'Legacy' ? legacyHeaders(opened) : managedHeaders(opened, realNow);
  return {
    url: new URL(endpoint.url),
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signature,
      ...(delivery.hookSequence !== undefined && { 'hook-sequence': String(delivery.hookSequence) }),
    },
    body,
  };
}

function legacyHeaders({ body, secrets: [secret = ''] }: OpenedDelivery): Record<string, string> {
  return { 'x-legacy-wh-chksm': signLegacy(body, secret) };
}

/** Each value under the name of Standard Webhooks too. */
function managedHeaders(opened: OpenedDelivery, realNow: number): Record<string, string> {
  const { hookId: id } = opened.delivery;
  const timestampSeconds = Math.floor(realNow / MS_PER_SECOND);
  const { body, secrets } = opened;
  const signature = signManaged({ id, timestampSeconds, body, secrets });
  const timestamp = String(timestampSeconds);
  return {
    'hook-id': id,
    'hook-timestamp': timestamp,
    'hook-signature': signature,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
}
