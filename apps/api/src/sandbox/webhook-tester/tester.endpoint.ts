import { Inject, Injectable } from '@nestjs/common';
import type { ListPage, WebhookEndpoint, WebhookEndpointWithSecret } from '@tillstream/contracts';
import { ADDRESS, DEMO_FACTS, type DemoFacts, type ListeningAddress } from '../../api.parts.js';
import { interrupted } from '../../http/api.error.js';

export const RECEIVE_PATH = '/sandbox/webhooks/receive';
const ANSWERED_WITHIN_MS = 15_000;

/**
 * The demo merchant's endpoint that points to this process. It is managed with the public API and the demo's key, as any
 * merchant manages one. Its secret is in memory only: after a restart it is rotated.
 */
@Injectable()
export class TesterEndpoint {
  private known: WebhookEndpointWithSecret | undefined;

  constructor(
    @Inject(DEMO_FACTS) private readonly demo: DemoFacts,
    @Inject(ADDRESS) private readonly address: ListeningAddress,
  ) {}

  /** Of what was opened by this process. */
  get secret(): string | undefined {
    return this.known?.secret;
  }

  get shown(): WebhookEndpoint | null {
    if (!this.known) return null;
    const { secret: _, ...shown } = this.known;
    return shown;
  }

  /** Makes sure that the endpoint exists, is enabled, and has a secret that this process knows. */
  async open(): Promise<void> {
    const url = this.address.origin + RECEIVE_PATH;
    const { data } = await this.call<ListPage<WebhookEndpoint>>('GET', '');
    const found = data.find((endpoint) => endpoint.url === url);
    if (!found) {
      this.known = await this.call('POST', '', { url, eventTypes: ['*'], description: 'Endpoint tester' });
      return;
    }
    if (found.status === 'Disabled') await this.call('PUT', `/${found.id}`, { status: 'Enabled' });
    if (this.known?.id !== found.id) this.known = await this.call('POST', `/${found.id}/rotate-secret`, {});
  }

  /** @throws ApiError 500 if the API answers anything but 200 */
  private async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.address.origin}/v1/webhook-endpoints${path}`, {
      method,
      headers: {
        'x-api-key': this.demo().apiKey,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    if (response.status !== 200) throw interrupted(`The API answered ${response.status} to the tester.`);
    return (await response.json()) as Answer;
  }
}
