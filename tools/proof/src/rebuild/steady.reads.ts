import { setTimeout } from 'node:timers/promises';
import type { ListPage } from '@tillstream/contracts';
import { pickOne, Repetition } from '../support/concurrency.js';
import { describeResponse, type ApiClient } from '../support/api.client.js';

const PAUSE_MS = 20;
const PAGE = 100;
const IDS_AT_ONCE = 50;

/** Reads lists and transactions all the time, and records failed and slow reads. */
export class SteadyReads {
  count = 0;
  slowestMs = 0;
  readonly failures: string[] = [];
  private running: Repetition | undefined;

  constructor(
    private readonly calls: ApiClient,
    private readonly origins: () => readonly string[],
    /** Responses by transaction id. */
    private readonly answered: ReadonlyMap<string, string | undefined>,
    private readonly timeoutMs: number,
  ) {}

  start(): void {
    this.running = new Repetition(() => this.readOnce());
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /** Reads all pages: each answered operation must be listed once, with the bytes of its response. */
  async wrongListings(origin: string): Promise<string[]> {
    const before = [...this.answered.keys()];
    const seen = new Map<string, number>();
    const complaints: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const response = await this.calls.send(origin, 'GET', `/v1/transactions?${query}`);
      if (response?.status !== 200) return [`the page ${query} on ${origin}: ${describeResponse(response)}`];
      const { data, nextCursor } = JSON.parse(response.text) as ListPage<{ readonly id: string }>;
      for (const { id } of data) {
        seen.set(id, (seen.get(id) ?? 0) + 1);
        const text = this.answered.get(id);
        if (text !== undefined && !response.text.includes(text))
          complaints.push(`${id} is listed otherwise on ${origin} than it was answered: ${text}`);
      }
      cursor = nextCursor;
    }
    const missing = before.filter((id) => seen.get(id) !== 1);
    return [...complaints, ...missing.map((id) => `${id} is listed ${seen.get(id) ?? 0} times on ${origin}`)];
  }

  async unlisted(origin: string, ids: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const some = ids.slice(at, at + IDS_AT_ONCE);
      const query = `limit=${PAGE}&${some.map((id) => `id=${id}`).join('&')}`;
      const response = await this.calls.send(origin, 'GET', `/v1/transactions?${query}`);
      if (response?.status !== 200) return [`${some.length} ids on ${origin}: ${describeResponse(response)}`];
      missing.push(...some.filter((id) => !response.text.includes(`"id":"${id}"`)));
    }
    return missing.map((id) => `${id} is not listed on ${origin}`);
  }

  private async readOnce(): Promise<void> {
    const ids = [...this.answered.keys()];
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    const path = pickOne(['?limit=25', `?id=${id}`, `/${id}`, `?id=${id}&includeTotal=true&sort=-amount`]);
    for (const origin of this.origins()) await this.read(origin, path, path.includes(id) ? id : '');
    await setTimeout(PAUSE_MS);
  }

  private async read(origin: string, path: string, id: string): Promise<void> {
    const startedAt = performance.now();
    const response = await this.calls.send(origin, 'GET', `/v1/transactions${path}`);
    // The process was killed during the read.
    if (!response && !this.origins().includes(origin)) return;
    const ms = Math.round(performance.now() - startedAt);
    this.count++;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (response?.status !== 200 || !response.text.includes(`"${id}`))
      this.failures.push(`${path} on ${origin}: ${describeResponse(response)}`);
    else if (ms > this.timeoutMs)
      this.failures.push(`${path} on ${origin} took ${ms} ms until ${new Date().toISOString()}`);
  }
}
