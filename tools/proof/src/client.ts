import { setTimeout } from 'node:timers/promises';
import { isDefinite, pathOf, type Asked, type Heard } from './asked.js';

const PAUSE_MS = 100;

/** A merchant's program: sends, and where it hears nothing sends the same again under the same key. */
export class Client {
  constructor(
    /** Several: one after the other, as a load balancer would. */
    private readonly origins: readonly string[],
    private readonly apiKey: string,
  ) {}

  /** Undefined where no whole answer came: then nothing is known. */
  async send(asked: Asked, origin = this.origins[0] ?? '', timeoutMs = 20_000): Promise<Heard | undefined> {
    const sentAt = Date.now();
    try {
      const response = await fetch(`${origin}${pathOf(asked.kind)}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': this.apiKey,
          'idempotency-key': asked.key,
        },
        body: JSON.stringify(asked.body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      const heard = { status: response.status, text, replayed, sentAt, heardAt: Date.now() };
      asked.heard.push(heard);
      return heard;
    } catch {
      return undefined;
    }
  }

  /** Undefined where there was no definite answer in time. */
  async insist(asked: Asked, withinMs: number): Promise<Heard | undefined> {
    const until = performance.now() + withinMs;
    for (let attempt = 0; performance.now() < until; attempt++) {
      const heard = await this.send(asked, this.origins[attempt % this.origins.length]);
      if (heard && isDefinite(heard)) return heard;
      await setTimeout(PAUSE_MS + Math.random() * PAUSE_MS);
    }
    return undefined;
  }
}
