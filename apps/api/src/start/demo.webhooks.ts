import { WebhookEndpointRejected, type Actor, type WebhookEndpointRegistry } from '@tillstream/payments';
import { RECEIVE_PATH } from '../sandbox/webhook-tester/tester.endpoint.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Provides the demo merchant's endpoint for all events, at the sandbox's own endpoint tester. It follows the port of this
 * start. An endpoint that was deleted, or moved to another address, stays as it is.
 *
 * @param origin where the service listens
 */
export async function provideTesterEndpoint(
  endpoints: WebhookEndpointRegistry,
  { actor, merchantId }: { readonly actor: Actor; readonly merchantId: string },
  origin: string,
): Promise<void> {
  const url = origin + RECEIVE_PATH;
  const request = { actor, merchantId, method: 'Managed' } as const;
  const creation = { ...request, commandId: `endpoint tester of ${merchantId}` };
  const known = await endpoints.find(merchantId, request.method, endpoints.idFor(creation));
  if (!known) {
    const endpoint = { url, eventTypes: ['*'], description: 'Endpoint tester' };
    await endpoints.create(creation, endpoint).catch(ignoreRejection);
  } else if (known.url !== url && isTester(known.url)) {
    await endpoints.change(request, known.id, { url });
  }
}

function isTester(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return LOOPBACK.has(hostname) && pathname === RECEIVE_PATH;
}

/** The endpoint was deleted, or the settings allow no delivery to this machine. */
function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof WebhookEndpointRejected)) throw error;
}
