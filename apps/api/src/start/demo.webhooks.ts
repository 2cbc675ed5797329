import { WebhookEndpointRejected, type Actor, type WebhookEndpointRegistry } from '@tillstream/payments';

/** The page of the sandbox that shows what the demo merchant receives. */
const INBOX_PATH = '/sandbox/webhooks/inbox';

/**
 * Provides the demo merchant's endpoint for all events, at the sandbox's own inbox. It follows the port of this start. An
 * endpoint that was deleted, or moved to another address, stays as it is.
 *
 * @param origin where the service listens
 */
export async function provideInboxEndpoint(
  endpoints: WebhookEndpointRegistry,
  { actor, merchantId }: { readonly actor: Actor; readonly merchantId: string },
  origin: string,
): Promise<void> {
  const url = inboxUrl(origin);
  const request = { actor, merchantId, method: 'Managed' } as const;
  const creation = { ...request, commandId: `inbox of ${merchantId}` };
  const known = await endpoints.find(merchantId, request.method, endpoints.idFor(creation));
  if (!known) {
    const endpoint = { url, eventTypes: ['*'], description: 'Sandbox inbox' };
    await endpoints.create(creation, endpoint).catch(ignoreRejection);
  } else if (known.url !== url && isInbox(known.url)) {
    await endpoints.change(request, known.id, { url });
  }
}

/** By its number: a name can also stand for an address of IPv6, on which the service does not listen. */
function inboxUrl(origin: string): string {
  const url = new URL(INBOX_PATH, origin);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.href;
}

function isInbox(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === INBOX_PATH;
}

/** The endpoint was deleted, or the settings allow no delivery to this machine. */
function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof WebhookEndpointRejected)) throw error;
}
