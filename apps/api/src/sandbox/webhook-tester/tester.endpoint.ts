import { Inject, Injectable } from '@nestjs/common';
import type { WebhookEndpoint } from '@tillstream/domain';
import {
  WebhookEndpointRejected,
  type Actor,
  type WebhookEndpointRegistry,
  type WebhookEndpointWithSecret,
} from '@tillstream/payments';
import {
  ADDRESS,
  DEMO_FACTS,
  WEBHOOK_ENDPOINTS,
  type DemoFacts,
  type ListeningAddress,
} from '../../api.parts.js';

const RECEIVE_PATH = '/sandbox/webhooks/receive';
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const ALL_EVENTS = { eventTypes: ['*'], description: 'Endpoint tester' };
const actor: Actor = { type: 'System', name: 'endpoint tester' };

/** The demo merchant's endpoint that points to this process. */
@Injectable()
export class TesterEndpoint {
  private known: WebhookEndpointWithSecret | undefined;

  constructor(
    @Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry,
    @Inject(DEMO_FACTS) private readonly demo: DemoFacts,
    @Inject(ADDRESS) private readonly address: ListeningAddress,
  ) {}

  /** Undefined: the merchant has none, or deleted it or moved it to another address. */
  async current(): Promise<WebhookEndpoint | undefined> {
    const known = await this.withSecret();
    const { merchantId } = this.demo();
    return known && this.endpoints.find(merchantId, 'Managed', known.endpoint.id);
  }

  async secret(): Promise<string | undefined> {
    return (await this.withSecret())?.secret;
  }

  /** Makes sure that the endpoint exists and is enabled. */
  async open(): Promise<void> {
    const { endpoints } = this;
    const request = { actor, merchantId: this.demo().merchantId, method: 'Managed' } as const;
    if (!(await this.current())) {
      const url = this.address.origin + RECEIVE_PATH;
      const other = (await endpoints.list(request.merchantId, 'Managed')).find((one) => one.url === url);
      // The secret of one that an earlier process made is not shown again.
      this.known = other
        ? await endpoints.rotateSecret(request, other.id)
        : await endpoints.create(request, { url, ...ALL_EVENTS });
    }
    const current = await this.current();
    if (current?.status === 'Disabled') await endpoints.change(request, current.id, { status: 'Enabled' });
  }

  private async withSecret(): Promise<WebhookEndpointWithSecret | undefined> {
    const { endpoints, address } = this;
    return (this.known ??= await provideTesterEndpoint(endpoints, this.demo().merchantId, address.origin));
  }
}

/**
 * Provides the demo merchant's endpoint for all events, at the endpoint tester. It follows the port of this start. Undefined:
 * it was deleted or moved to another address, and stays so.
 *
 * @param origin where the service listens
 */
export async function provideTesterEndpoint(
  endpoints: WebhookEndpointRegistry,
  merchantId: string,
  origin: string,
): Promise<WebhookEndpointWithSecret | undefined> {
  const url = origin + RECEIVE_PATH;
  const request = { actor, merchantId, method: 'Managed' } as const;
  try {
    // Repeated, it returns the endpoint that the first start made.
    const creation = { ...request, commandId: `endpoint tester of ${merchantId}` };
    const made = await endpoints.create(creation, { url, ...ALL_EVENTS });
    if (made.endpoint.url === url) return made;
    if (!isTester(made.endpoint.url)) return undefined;
    return { ...made, endpoint: await endpoints.change(request, made.endpoint.id, { url }) };
  } catch (error) {
    // It was deleted, or the settings allow no delivery to this machine.
    if (error instanceof WebhookEndpointRejected) return undefined;
    throw error;
  }
}

function isTester(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return LOOPBACK.has(hostname) && pathname === RECEIVE_PATH;
}
