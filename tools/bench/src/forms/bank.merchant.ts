import { caller } from '../load/api.caller.js';
import type { ApiService } from '../services/http.services.js';

const BANK_ACCOUNT = {
  ...{ routingNumber: '110000000', accountNumber: '000123456789' },
  ...{ accountType: 'Checking', name: 'Ann Maple' },
};
const ADDRESS = {
  ...{ name: 'Ann Maple', address: '1 Main Street', city: 'Boston', state: 'MA' },
  ...{ countryCode: 'US', zipCode: '02110' },
};
const RATE_LIMIT_PER_SECOND = 1_000_000;

/** The fields that are used here. */
interface Transaction {
  readonly id: string;
  readonly form?: { readonly sessionId: string };
  readonly paymentMethod: { readonly id: string };
}

/** A second merchant of the service, which sells by bank account. */
export class BankMerchant {
  private constructor(
    private readonly api: ApiService,
    readonly apiKey: string,
    /** A stored bank account, which approves. */
    readonly tokenId: string,
  ) {}

  static async open(api: ApiService): Promise<BankMerchant> {
    const operator = caller(api, api.adminKey);
    const settings = { name: 'Bank payments', rateLimitPerSecond: RATE_LIMIT_PER_SECOND };
    const { id } = await operator<{ id: string }>('/admin/v1/merchants', settings);
    const path = `/admin/v1/merchants/${id}`;
    const { key } = await operator<{ key: string }>(`${path}/api-keys`, { name: 'bench' });
    const method = { description: 'ACH', currency: 'USD', type: 'VirtualAch' };
    const { id: paymentMethodId } = await operator<{ id: string }>(`${path}/forms`, method);
    const call = caller(api, key);
    const opened = await call<Transaction>('/v1/payment-methods/virtual', { paymentMethodId });
    const submission = { bankAccount: BANK_ACCOUNT, billingContact: ADDRESS };
    await call(`/pay/${opened.form?.sessionId}/submit`, submission);
    const stored = await call<Transaction>(`/v1/transactions/${opened.id}`);
    return new BankMerchant(api, key, stored.paymentMethod.id);
  }

  async isAnyWaiting(): Promise<boolean> {
    const path = '/v1/transactions?status=Processing&limit=1';
    const { data } = await caller(this.api, this.apiKey)<{ readonly data: readonly unknown[] }>(path);
    return data.length > 0;
  }
}

/** @param settle waits until no work is due, at most 30 s */
export function moveClock(
  api: ApiService,
  advanceSeconds: number,
  settle: boolean,
): Promise<{ readonly pending: number }> {
  return caller(api, api.adminKey)('/admin/v1/sandbox/clock', { advanceSeconds, settle });
}
