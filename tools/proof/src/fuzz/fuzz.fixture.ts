import { randomBytes } from 'node:crypto';
import type { ListPage } from '@tillstream/contracts';
import { ApiClient, describeResponse, type ApiCallOptions, type Method } from '../support/api.client.js';
import { sandboxFacts, type Deployment } from '../support/deployment.js';
import { poll } from '../support/concurrency.js';

/** A merchant's ids for requests. */
export type FuzzMerchant = Awaited<ReturnType<FixtureBuilder['merchant']>>;
export type FuzzFixture = Awaited<ReturnType<typeof createFixture>>;

const REVOCATION_TIMEOUT_MS = 10_000;
const newName = (): string => randomBytes(9).toString('hex');

/** Three merchants: `own` sends requests, no response to it may have data of `other`, operators change `spare`. */
export async function createFixture(origin: string, deployment: Deployment) {
  const { adminKey } = sandboxFacts(deployment);
  const builder = new FixtureBuilder(origin, adminKey);
  const [own, other, spare] = [await builder.merchant(), await builder.merchant(), await builder.merchant()];
  const readOnly = await builder.key(own.merchantId, { readOnly: true });
  const revoked = await builder.key(own.merchantId, {});
  await builder.admin('DELETE', `/merchants/${own.merchantId}/api-keys/${revoked.id}`);
  await builder.untilRevoked(revoked.key);
  return {
    origin,
    adminKey,
    own,
    other,
    spare,
    readOnlyKey: readOnly.key,
    revokedKey: revoked.key,
    /** Texts that only responses to the other merchant may have. */
    canaries: [...idsOf(other), ...builder.namesOf(other.merchantId)],
    /** Keys, which no response may have. */
    secrets: [adminKey, own.apiKey, other.apiKey, spare.apiKey, readOnly.key, revoked.key],
  };
}

function idsOf({ cursors: _cursors, apiKey: _apiKey, keyId: _keyId, ...ids }: FuzzMerchant): string[] {
  return Object.values(ids);
}

interface Created {
  readonly id: string;
}
interface CreatedKey extends Created {
  readonly key: string;
}

class FixtureBuilder {
  /** Names and other personal texts by merchant. */
  private readonly created = new Map<string, readonly string[]>();

  constructor(
    private readonly origin: string,
    private readonly adminKey: string,
  ) {}

  namesOf(merchantId: string): readonly string[] {
    return this.created.get(merchantId) ?? [];
  }

  async merchant() {
    const name = `Fuzz ${newName()}`;
    const settings = { name, rateLimitPerSecond: 0 };
    const { id: merchantId } = await this.admin<Created>('POST', '/merchants', settings);
    const { id: keyId, key: apiKey } = await this.key(merchantId, {});
    const at = `/merchants/${merchantId}`;
    const method = { currency: 'USD', isDefault: true };
    const terminal = await this.admin<Created>('POST', `${at}/terminals`, method);
    const form = await this.admin<Created>('POST', `${at}/forms`, { ...method, type: 'Virtual' });
    const call = <Answer>(path: string, body: object, headers?: Record<string, string>): Promise<Answer> =>
      this.call<Answer>(apiKey, 'POST', `/v1${path}`, { body, headers: headers ?? {} });
    const externalId = `customer-${newName()}`;
    const person = { name: `Ada ${newName()}`, email: `${newName()}@example.com`, phone: `+1 ${newName()}` };
    const holder = await call<Created>('/account-holders', { externalId, ...person });
    const stored = await call<{ paymentMethod: Created }>('/payment-methods/physical', {
      accountHolder: { id: holder.id },
    });
    const [referenceId, usedKey, invoiceNumber] = [`ref-${newName()}`, `key-${newName()}`, newName()];
    const sold = { amount: 1_000, referenceId, invoiceNumber };
    const sale = await call<Created>('/transactions/physical-sale', sold, { 'idempotency-key': usedKey });
    const auth = await call<Created>('/transactions/physical-auth', { amount: 2_000 });
    this.created.set(merchantId, [name, ...Object.values(person), invoiceNumber]);
    return {
      ...{ merchantId, apiKey, keyId, externalId, referenceId, usedKey },
      terminal: terminal.id,
      form: form.id,
      holder: holder.id,
      token: stored.paymentMethod.id,
      sale: sale.id,
      auth: auth.id,
      /** Of lists with more than one page. */
      cursors: await this.cursors(apiKey),
    };
  }

  key(merchantId: string, options: { readonly readOnly?: boolean }): Promise<CreatedKey> {
    return this.admin('POST', `/merchants/${merchantId}/api-keys`, { name: newName(), ...options });
  }

  admin<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
    return this.call<Answer>(this.adminKey, method, `/admin/v1${path}`, { body });
  }

  /** A revoked key stops within 2 s on every instance; a busy machine gets more time. */
  async untilRevoked(key: string): Promise<void> {
    const calls = new ApiClient({ apiKey: key, adminKey: this.adminKey });
    const status = await poll(
      async () => (await calls.send(this.origin, 'GET', '/v1/payment-methods'))?.status,
      (seen) => seen === 401,
      REVOCATION_TIMEOUT_MS,
    );
    if (status !== 401) throw new Error('a revoked key still works');
  }

  private async cursors(apiKey: string): Promise<readonly string[]> {
    const lists = ['transactions?', 'payment-methods?', 'transactions?sort=amount&'];
    const pages = await Promise.all(
      lists.map((list) => this.call<ListPage<unknown>>(apiKey, 'GET', `/v1/${list}limit=1`)),
    );
    return pages.flatMap(({ nextCursor }) => (nextCursor === null ? [] : [nextCursor]));
  }

  private async call<Answer>(
    key: string,
    method: Method,
    path: string,
    options: ApiCallOptions = {},
  ): Promise<Answer> {
    const calls = new ApiClient({ apiKey: key, adminKey: key });
    const response = await calls.send(this.origin, method, path, options);
    if (response?.status !== 200)
      throw new Error(`${method} ${path} was not taken: ${describeResponse(response)}`);
    return JSON.parse(response.text) as Answer;
  }
}
