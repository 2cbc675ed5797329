import { setTimeout } from 'node:timers/promises';
import { isDefinite, requestPath, type ClientRequest, type ClientResponse } from './client.request.js';

const PAUSE_MS = 100;
const TIMEOUT_MS = 20_000;

/** A merchant's program. Without a response it sends the same request again under the same key. */
export class PaymentClient {
  constructor(
    /** Used in turn, as by a load balancer. */
    private readonly origins: readonly string[],
    private readonly apiKey: string,
  ) {}

  /** Returns undefined without a complete response; then the client knows nothing of the outcome. */
  async send(
    request: ClientRequest,
    origin = this.origins[0] ?? '',
    timeoutMs = TIMEOUT_MS,
  ): Promise<ClientResponse | undefined> {
    const sentAt = Date.now();
    try {
      const http = await fetch(`${origin}${requestPath(request.kind)}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': this.apiKey,
          'idempotency-key': request.key,
        },
        body: JSON.stringify(request.body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await http.text();
      const replayed = http.headers.get('idempotent-replayed') === 'true';
      const response = { status: http.status, text, replayed, sentAt, receivedAt: Date.now() };
      request.responses.push(response);
      return response;
    } catch {
      return undefined;
    }
  }

  /** Returns undefined if there is no definite response in time. */
  async insist(request: ClientRequest, timeoutMs: number): Promise<ClientResponse | undefined> {
    const until = performance.now() + timeoutMs;
    for (let attempt = 0; performance.now() < until; attempt++) {
      const response = await this.send(request, this.origins[attempt % this.origins.length]);
      if (response && isDefinite(response)) return response;
      await setTimeout(PAUSE_MS + Math.random() * PAUSE_MS);
    }
    return undefined;
  }
}
