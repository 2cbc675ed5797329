import { setTimeout } from 'node:timers/promises';
import { pick } from './lanes.js';
import { saidBy, type MerchantCalls } from './merchant.calls.js';

const PAUSE_MS = 20;
const PAGE = 100;
const IDS_AT_ONCE = 50;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** Looks at lists and at single transactions all the time, and counts what was not answered, or not soon. */
export class SteadyLooks {
  count = 0;
  slowestMs = 0;
  readonly failures: string[] = [];
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly calls: MerchantCalls,
    private readonly origins: () => readonly string[],
    /** To be looked for. */
    private readonly answered: ReadonlyMap<string, string | undefined>,
    private readonly withinMs: number,
  ) {}

  start(): void {
    this.stopped = false;
    this.running = this.goOn();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /**
   * All that was answered before is listed, once, and as it was answered, over all pages. Gives a complaint for each
   * operation that is not.
   */
  async allOf(origin: string): Promise<string[]> {
    const before = [...this.answered.keys()];
    const seen = new Map<string, number>();
    const complaints: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const reply = await this.calls.send(origin, 'GET', `/v1/transactions?${query}`);
      if (reply?.status !== 200) return [`the page ${query} on ${origin}: ${saidBy(reply)}`];
      const { data, nextCursor } = JSON.parse(reply.text) as Page;
      for (const { id } of data) {
        seen.set(id, (seen.get(id) ?? 0) + 1);
        const text = this.answered.get(id);
        if (text !== undefined && !reply.text.includes(text))
          complaints.push(`${id} is listed otherwise on ${origin} than it was answered: ${text}`);
      }
      cursor = nextCursor;
    }
    const missing = before.filter((id) => seen.get(id) !== 1);
    return [...complaints, ...missing.map((id) => `${id} is listed ${seen.get(id) ?? 0} times on ${origin}`)];
  }

  /** Of these operations, those that are not listed: a complaint each. */
  async missingOf(origin: string, ids: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const some = ids.slice(at, at + IDS_AT_ONCE);
      const query = `limit=${PAGE}&${some.map((id) => `id=${id}`).join('&')}`;
      const reply = await this.calls.send(origin, 'GET', `/v1/transactions?${query}`);
      if (reply?.status !== 200) return [`${some.length} ids on ${origin}: ${saidBy(reply)}`];
      missing.push(...some.filter((id) => !reply.text.includes(`"id":"${id}"`)));
    }
    return missing.map((id) => `${id} is not listed on ${origin}`);
  }

  private async goOn(): Promise<void> {
    for (; !this.stopped; await setTimeout(PAUSE_MS)) {
      const ids = [...this.answered.keys()];
      const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
      const path = pick([
        '?limit=25',
        `?id=${id}`,
        `/${id}`,
        `?id=${id}&includeTotal=true&sort=-amount`,
      ] as const);
      for (const origin of this.origins()) await this.look(origin, path, path.includes(id) ? id : '');
    }
  }

  private async look(origin: string, path: string, id: string): Promise<void> {
    const since = performance.now();
    const reply = await this.calls.send(origin, 'GET', `/v1/transactions${path}`);
    // It was killed meanwhile.
    if (!reply && !this.origins().includes(origin)) return;
    const ms = Math.round(performance.now() - since);
    this.count++;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (reply?.status !== 200 || !reply.text.includes(`"${id}`))
      this.failures.push(`${path} on ${origin}: ${saidBy(reply)}`);
    else if (ms > this.withinMs)
      this.failures.push(`${path} on ${origin} took ${ms} ms until ${new Date().toISOString()}`);
  }
}
