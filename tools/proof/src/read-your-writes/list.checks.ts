import type { ListPage, TransactionResult } from '@tillstream/contracts';
import { describeResponse, type ApiClient, type ApiResponse } from '../support/api.client.js';
import { pickOne } from '../support/concurrency.js';

type Query = Readonly<Record<string, string>>;

interface Page<Item> {
  readonly path: string;
  readonly origin: string;
  readonly rows: readonly Item[];
  readonly text: string;
}

export type ListedToken = TransactionResult['paymentMethod'];

interface HolderToken {
  readonly holderId: string;
  readonly tokenId: string;
  readonly query?: Query;
}

/** Reads on one process what another has just answered. Each read is a check; a difference is a miss. */
export class ListChecks {
  checks = 0;
  readonly misses: string[] = [];

  constructor(private readonly calls: ApiClient) {}

  /** The list has the transaction once and with the bytes of the response: by id, by reference or by type. */
  async transaction(origin: string, answer: ApiResponse): Promise<void> {
    const { id, referenceId, type, status, createdAt } = JSON.parse(answer.text) as TransactionResult;
    const alone = pickOne<Query | undefined>([{ id }, { referenceId }, undefined]);
    const ofItsKind = { type, status, createdFrom: createdAt, sort: 'createdAt', limit: '100' };
    const page = await this.page<TransactionResult>(origin, '/v1/transactions', alone ?? ofItsKind);
    if (!page) return;
    const found = page.rows.filter((row) => row.id === id).length;
    if (found !== 1 || (alone && page.rows.length !== 1))
      this.miss(page, `${type} ${id} is there ${found} times of ${page.rows.length}`);
    else if (!page.text.includes(answer.text))
      this.miss(page, `${type} ${id} was answered as\n${answer.text}\nand is listed as\n${page.text}\n`);
  }

  /** @param expected bytes of a single GET; undefined: the response is a 404 */
  async read(origin: string, path: string, expected: string | undefined): Promise<void> {
    const response = await this.get(origin, path);
    const fits =
      expected === undefined
        ? response?.status === 404
        : response?.status === 200 && response.text === expected;
    if (!fits)
      this.misses.push(
        `GET ${path} on ${origin}: ${describeResponse(response)}, and it was answered as ${expected ?? 'erased'}`,
      );
  }

  /** After a 500 the client finds the state of its operation in the list. */
  async withoutAnswer(origin: string, id: string, referenceId: string, unknown: boolean): Promise<void> {
    const page = await this.page<TransactionResult>(origin, '/v1/transactions', { referenceId });
    if (!page) return;
    const [row] = page.rows;
    const allowed = unknown ? ['Interrupted', 'Completed', 'Cancelled'] : ['Cancelled'];
    if (page.rows.length !== 1 || row?.id !== id || !allowed.includes(row.status))
      this.miss(page, `${id}, answered with a 500, is ${row?.id} ${row?.status}`);
  }

  /** A transaction says that its card was removed. */
  async ofRemovedToken(origin: string, id: string, dateDeleted: string | undefined): Promise<void> {
    const page = await this.page<TransactionResult>(origin, '/v1/transactions', { id });
    if (!page) return;
    const method = page.rows[0]?.paymentMethod;
    if (
      page.rows.length !== 1 ||
      method?.dateDeleted !== dateDeleted ||
      method?.maskedCardNumber !== undefined
    )
      this.miss(page, `${id} does not say that its token was removed at ${dateDeleted}: ${page.text}`);
  }

  /** @param wanted undefined: the holder's list must not have the token */
  async token(
    origin: string,
    { holderId, tokenId, query = {} }: HolderToken,
    wanted: ((token: ListedToken) => boolean) | undefined,
  ): Promise<void> {
    const path = `/v1/payment-methods/account-holder/${holderId}`;
    const page = await this.page<ListedToken>(origin, path, { limit: '100', ...query });
    if (!page) return;
    const found = page.rows.filter(({ id }) => id === tokenId);
    const fits = wanted ? found.length === 1 && found.every(wanted) : found.length === 0;
    if (!fits) this.miss(page, `${tokenId} of ${holderId} is there ${found.length} times: ${page.text}`);
  }

  /** @param expected the response that made the holder; undefined: the list must not have the holder */
  async holder(origin: string, externalId: string, expected: string | undefined): Promise<void> {
    const page = await this.page<TransactionResult>(origin, '/v1/account-holders', { externalId });
    if (!page) return;
    const fits = page.rows.length === (expected === undefined ? 0 : 1) && page.text.includes(expected ?? '');
    if (!fits) this.miss(page, `holder ${externalId}, answered as ${expected}, is listed as ${page.text}`);
  }

  private async page<Item>(origin: string, path: string, query: Query): Promise<Page<Item> | undefined> {
    const full = `${path}?${new URLSearchParams(query)}`;
    const response = await this.get(origin, full);
    if (response?.status === 200) {
      const { text } = response;
      return { path: full, origin, rows: (JSON.parse(text) as ListPage<Item>).data, text };
    }
    this.misses.push(`GET ${full} on ${origin}: ${describeResponse(response)}`);
    return undefined;
  }

  private get(origin: string, path: string): Promise<ApiResponse | undefined> {
    this.checks++;
    return this.calls.send(origin, 'GET', path);
  }

  private miss({ path, origin }: Page<unknown>, what: string): void {
    this.misses.push(`${what} (${path} on ${origin})`);
  }
}
