import { randomBytes } from 'node:crypto';
import { MerchantCalls, saidBy, type Method } from './merchant.calls.js';
import { factsOf, type Site } from './site.js';

/** What a merchant has, for requests to name. */
export interface FuzzMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly terminal: string;
  readonly form: string;
  readonly holder: string;
  readonly externalId: string;
  readonly token: string;
  readonly sale: string;
  readonly auth: string;
  readonly referenceId: string;
  /** Under which the sale was made. */
  readonly usedKey: string;
  /** Of lists with more than one page. */
  readonly cursors: readonly string[];
}

/** Three merchants: one asks, the data of the other must never be seen, the third is there to be changed by operators. */
export interface FuzzWorld {
  readonly origin: string;
  readonly adminKey: string;
  readonly own: FuzzMerchant;
  readonly other: FuzzMerchant;
  readonly spare: FuzzMerchant;
  readonly readOnlyKey: string;
  readonly revokedKey: string;
  /** What only the other merchant's answers may say. */
  readonly canaries: readonly string[];
  /** Keys, which no answer says. */
  readonly secrets: readonly string[];
}

const WAIT_FOR_REVOCATION_MS = 10_000;
const newName = (): string => randomBytes(9).toString('hex');

export async function newWorld(origin: string, site: Site): Promise<FuzzWorld> {
  const { adminKey } = factsOf(site);
  const maker = new Maker(origin, adminKey);
  const [own, other, spare] = [await maker.merchant(), await maker.merchant(), await maker.merchant()];
  const readOnly = await maker.key(own.merchantId, { readOnly: true });
  const revoked = await maker.key(own.merchantId, {});
  await maker.admin('DELETE', `/merchants/${own.merchantId}/api-keys/${revoked.id}`);
  await maker.untilRevoked(revoked.key);
  return {
    origin,
    adminKey,
    own,
    other,
    spare,
    readOnlyKey: readOnly.key,
    revokedKey: revoked.key,
    canaries: [
      ...[other.merchantId, other.terminal, other.form, other.holder, other.token, other.sale, other.auth],
      ...[other.referenceId, other.externalId, other.usedKey],
      ...maker.saidOf(other.merchantId),
    ],
    secrets: [adminKey, own.apiKey, other.apiKey, spare.apiKey, readOnly.key, revoked.key],
  };
}

interface Said {
  readonly id: string;
}
interface SaidCreatedKey extends Said {
  readonly key: string;
}

class Maker {
  /** Names and such, by merchant. */
  private readonly said = new Map<string, readonly string[]>();

  constructor(
    private readonly origin: string,
    private readonly adminKey: string,
  ) {}

  saidOf(merchantId: string): readonly string[] {
    return this.said.get(merchantId) ?? [];
  }

  async merchant(): Promise<FuzzMerchant> {
    const name = `Fuzz ${newName()}`;
    const { id: merchantId } = await this.admin<Said>('POST', '/merchants', { name, rateLimitPerSecond: 0 });
    const { id: keyId, key: apiKey } = await this.key(merchantId, {});
    const at = `/merchants/${merchantId}`;
    const method = { currency: 'USD', isDefault: true };
    const terminal = await this.admin<Said>('POST', `${at}/terminals`, method);
    const form = await this.admin<Said>('POST', `${at}/forms`, { ...method, type: 'Virtual' });
    const call = <Answer>(path: string, body: object, key?: string): Promise<Answer> =>
      this.call<Answer>(apiKey, 'POST', `/v1${path}`, body, key);
    const externalId = `customer-${newName()}`;
    const person = { name: `Ada ${newName()}`, email: `${newName()}@example.com`, phone: `+1 ${newName()}` };
    const holder = await call<Said>('/account-holders', { externalId, ...person });
    const stored = await call<{ paymentMethod: Said }>('/payment-methods/physical', {
      accountHolder: { id: holder.id },
    });
    const [referenceId, usedKey, invoiceNumber] = [`ref-${newName()}`, `key-${newName()}`, newName()];
    const sale = await call<Said>(
      '/transactions/physical-sale',
      { amount: 1_000, referenceId, invoiceNumber },
      usedKey,
    );
    const auth = await call<Said>('/transactions/physical-auth', { amount: 2_000 });
    this.said.set(merchantId, [name, ...Object.values(person), invoiceNumber]);
    return {
      ...{ merchantId, apiKey, keyId, externalId, referenceId, usedKey },
      terminal: terminal.id,
      form: form.id,
      holder: holder.id,
      token: stored.paymentMethod.id,
      sale: sale.id,
      auth: auth.id,
      cursors: await this.cursors(apiKey),
    };
  }

  key(merchantId: string, options: { readonly readOnly?: boolean }): Promise<SaidCreatedKey> {
    return this.admin('POST', `/merchants/${merchantId}/api-keys`, { name: newName(), ...options });
  }

  admin<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
    return this.call<Answer>(this.adminKey, method, `/admin/v1${path}`, body);
  }

  /** Within 2 s on every instance; a busy machine has longer. */
  async untilRevoked(key: string): Promise<void> {
    const calls = new MerchantCalls({ apiKey: key, adminKey: this.adminKey });
    const until = performance.now() + WAIT_FOR_REVOCATION_MS;
    while (performance.now() < until) {
      if ((await calls.send(this.origin, 'GET', '/v1/payment-methods'))?.status === 401) return;
    }
    throw new Error('a revoked key still works');
  }

  private async cursors(apiKey: string): Promise<readonly string[]> {
    const lists = [
      '/v1/transactions?limit=1',
      '/v1/payment-methods?limit=1',
      '/v1/transactions?limit=1&sort=amount',
    ];
    const pages = await Promise.all(
      lists.map((path) => this.call<{ nextCursor: string | null }>(apiKey, 'GET', path)),
    );
    return pages.flatMap(({ nextCursor }) => (nextCursor === null ? [] : [nextCursor]));
  }

  private async call<Answer>(
    key: string,
    method: Method,
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<Answer> {
    const calls = new MerchantCalls({ apiKey: key, adminKey: key });
    const reply = await calls.send(this.origin, method, path, {
      ...(body && { body }),
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    });
    if (reply?.status !== 200) throw new Error(`${method} ${path} was not taken: ${saidBy(reply)}`);
    return JSON.parse(reply.text) as Answer;
  }
}
