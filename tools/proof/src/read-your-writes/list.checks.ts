import type { TransactionResult } from '@tillstream/contracts';
import { describeResponse, type ApiClient, type ApiResponse } from '../support/api.client.js';

interface Row {
  readonly id: string;
}

interface Page<Item> {
  readonly rows: readonly Item[];
  readonly text: string;
}

/** The fields of a listed card that are checked. */
export interface ListedToken extends Row {
  readonly description?: string;
  readonly dateDeleted?: string;
  readonly maskedCardNumber?: string;
}

/** Reads on one process what another has just answered. Each read is a check; a difference is a miss. */
export class ListChecks {
  checks = 0;
  readonly misses: string[] = [];

  constructor(private readonly calls: ApiClient) {}

  /** The list has the transaction once and with the bytes of the response: by id, by reference or by type. */
  async transaction(origin: string, answer: ApiResponse): Promise<void> {
    const result = JSON.parse(answer.text) as TransactionResult;
    const { id, referenceId, type, status, createdAt } = result;
    const ofItsKind = new URLSearchParams({
      type,
      status,
      createdFrom: createdAt,
      sort: 'createdAt',
      limit: '100',
    });
    const alone = [`id=${id}`, `referenceId=${encodeURIComponent(referenceId)}`];
    const [query = '', isAlone] = pickOne([
      ...alone.map((one) => [one, true] as const),
      [`${ofItsKind}`, false],
    ]);
    const page = await this.page<Row>(origin, `/v1/transactions?${query}`);
    if (!page) return;
    const found = page.rows.filter((row) => row.id === id).length;
    if (found !== 1 || (isAlone && page.rows.length !== 1))
      this.miss(`${type} ${id} is there ${found} times of ${page.rows.length}`, origin, query);
    else if (!page.text.includes(answer.text))
      this.miss(
        `${type} ${id} was answered as\n${answer.text}\nand is listed as\n${page.text}\n`,
        origin,
        query,
      );
  }

  /** A single GET has the bytes of the response. */
  async read(origin: string, path: string, expected: string): Promise<void> {
    this.checks++;
    const response = await this.calls.send(origin, 'GET', path);
    if (response?.status !== 200 || response.text !== expected)
      this.misses.push(
        `GET ${path} on ${origin}: ${describeResponse(response)}, and it was answered as ${expected}`,
      );
  }

  async notFound(origin: string, path: string): Promise<void> {
    this.checks++;
    const response = await this.calls.send(origin, 'GET', path);
    if (response?.status !== 404)
      this.misses.push(`GET ${path} on ${origin}: ${describeResponse(response)}, and it was erased`);
  }

  /** After a 500 the client finds the state of its operation in the list. */
  async withoutAnswer(origin: string, id: string, referenceId: string, unknown: boolean): Promise<void> {
    const query = `referenceId=${encodeURIComponent(referenceId)}`;
    const page = await this.page<TransactionResult>(origin, `/v1/transactions?${query}`);
    if (!page) return;
    const [row] = page.rows;
    const allowed = unknown ? ['Interrupted', 'Completed', 'Cancelled'] : ['Cancelled'];
    if (page.rows.length !== 1 || row?.id !== id || !allowed.includes(row.status))
      this.miss(`${id}, answered with a 500, is ${row?.id} ${row?.status}`, origin, query);
  }

  /** A transaction says that its card was removed. */
  async ofRemovedToken(origin: string, id: string, dateDeleted: string | undefined): Promise<void> {
    const page = await this.page<TransactionResult>(origin, `/v1/transactions?id=${id}`);
    if (!page) return;
    const method = page.rows[0]?.paymentMethod;
    if (
      page.rows.length !== 1 ||
      method?.dateDeleted !== dateDeleted ||
      method?.maskedCardNumber !== undefined
    )
      this.miss(`${id} does not say that its token was removed at ${dateDeleted}: ${page.text}`, origin, id);
  }

  /** @param wanted undefined: the holder's list must not have the token */
  async token(
    origin: string,
    holderId: string,
    tokenId: string,
    wanted: ((token: ListedToken) => boolean) | undefined,
    query = '',
  ): Promise<void> {
    const path = `/v1/payment-methods/account-holder/${holderId}?limit=100${query}`;
    const page = await this.page<ListedToken>(origin, path);
    if (!page) return;
    const found = page.rows.filter(({ id }) => id === tokenId);
    const fits = wanted ? found.length === 1 && found.every(wanted) : found.length === 0;
    if (!fits)
      this.miss(`${tokenId} of ${holderId} is there ${found.length} times: ${page.text}`, origin, query);
  }

  async holder(origin: string, externalId: string, expected: string | undefined): Promise<void> {
    const query = `externalId=${encodeURIComponent(externalId)}`;
    const page = await this.page<Row>(origin, `/v1/account-holders?${query}`);
    if (!page) return;
    const fits =
      expected === undefined
        ? page.rows.length === 0
        : page.rows.length === 1 && page.text.includes(expected);
    if (!fits)
      this.miss(`holder ${externalId}, answered as ${expected}, is listed as ${page.text}`, origin, query);
  }

  private async page<Item>(origin: string, path: string): Promise<Page<Item> | undefined> {
    this.checks++;
    const response = await this.calls.send(origin, 'GET', path);
    if (response?.status !== 200) {
      this.misses.push(`GET ${path} on ${origin}: ${describeResponse(response)}`);
      return undefined;
    }
    return { rows: (JSON.parse(response.text) as { data: readonly Item[] }).data, text: response.text };
  }

  private miss(what: string, origin: string, query: string): void {
    this.misses.push(`${what} (${query} on ${origin})`);
  }
}

function pickOne<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
