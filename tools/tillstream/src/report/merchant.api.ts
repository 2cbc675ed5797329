import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorEnvelope, ListPage } from '@tillstream/contracts';
import { errorMessage } from '@tillstream/runtime';
import { Failed } from '../command.types.js';
import { textOf } from '../response.text.js';

const TIMEOUT_MS = 60_000;
/** The largest page of a list. */
const PAGE_ITEMS = 100;
const RATE_LIMITED = 429;
const RATE_LIMITED_MAX = 20;
const PAUSE_MS_MAX = 60_000;

/** A value that is given several times means any of them. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The API as a merchant's key sees it. Every failure is a `Failed` whose message names the request. */
export class MerchantApi {
  /** @param baseUrl ends in `/v1` */
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** One page after the other: memory does not grow with a list. */
  async *pages<Item>(path: string, query: Query, limit = PAGE_ITEMS): AsyncGenerator<readonly Item[]> {
    let cursor: string | null = null;
    do {
      const page: ListPage<Item> = await this.get<ListPage<Item>>(path, {
        ...query,
        limit: String(limit),
        ...(cursor !== null && { cursor }),
      });
      yield page.data;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  async get<Resource>(path: string, query: Query = {}): Promise<Resource> {
    for (let limited = 0; ; limited++) {
      const response = await this.request(path, query);
      if (response.status === 200) return JSON.parse(response.text) as Resource;
      if (response.status !== RATE_LIMITED || limited === RATE_LIMITED_MAX) {
        throw new Failed(`GET ${path} was answered with ${response.status}${reasonIn(response.text)}.`);
      }
      await pause(Math.min(response.retryAfterMs, PAUSE_MS_MAX));
    }
  }

  private async request(
    path: string,
    query: Query,
  ): Promise<{ readonly status: number; readonly text: string; readonly retryAfterMs: number }> {
    try {
      const response = await fetch(`${this.baseUrl}${path}${queryText(query)}`, {
        headers: { 'x-api-key': this.key },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'manual',
      });
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : 1000;
      return { status: response.status, text: await textOf(response), retryAfterMs };
    } catch (error) {
      const { cause } = error as { readonly cause?: unknown };
      const reason = cause === undefined ? errorMessage(error) : errorMessage(cause);
      throw new Failed(`GET ${path} of ${new URL(this.baseUrl).origin} was not answered: ${reason}.`);
    }
  }
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, one);
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

function reasonIn(text: string): string {
  try {
    const { code, message, traceId } = JSON.parse(text) as Partial<ErrorEnvelope>;
    return code === undefined ? '' : `, code ${code}: ${message} (trace ${traceId})`;
  } catch {
    return '';
  }
}
