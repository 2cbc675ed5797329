import { setTimeout as sleep } from 'node:timers/promises';
import { refusal, type OtherMerchant, type TestApi } from '../testing/test.api.js';
import { TwoMachines } from '../testing/two.machines.js';

/** A key or a switch is cached for at most this time (`docs/spec/authentication.md`). */
const CACHED_MS = 2_000;
const METHODS = '/v1/payment-methods';
const actor = { type: 'Operator', name: 'tester' } as const;

describe('A change on one of two machines', () => {
  const machines = new TwoMachines();
  let a: TestApi;
  let b: TestApi;
  let merchant: OtherMerchant;

  beforeAll(async () => {
    await machines.start();
    ({ a, b } = machines);
    merchant = await a.otherMerchant();
  });
  afterAll(() => machines.stop());

  /** Makes the other machine cache what is to change, then changes it, and waits for as long as that may be cached. */
  async function changed(useOther: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> {
    await useOther();
    await change();
    await sleep(CACHED_MS + 50);
  }
  const operate = async (path: string, body: object, key = a.adminKey): Promise<void> => {
    expect((await a.call('POST', `/admin/v1${path}`, { body, key })).status).toBe(200);
  };

  it("to a merchant's keys: a new one works on the other at once, a revoked one stops within 2 s", async () => {
    const { provisioning } = a.running;
    const issued = { name: 'Short-lived', readOnly: false, mode: 'test' } as const;
    const { key, keyId } = await provisioning.issueApiKey(actor, merchant.id, issued);
    expect((await b.get(METHODS, { key })).status).toBe(200);
    await changed(
      () => b.get(METHODS, { key }),
      () => provisioning.revokeApiKey(actor, merchant.id, keyId),
    );
    expect(refusal(await b.get(METHODS, { key }))).toBe('401 1000 Rejected');
  });

  it('that disables a merchant refuses its keys on the other within 2 s, and one that enables it admits them', async () => {
    const use = () => b.get(METHODS, { key: merchant.key });
    const reason = { reason: 'a test' };
    await changed(use, () => operate(`/merchants/${merchant.id}/disable`, reason));
    expect(refusal(await use())).toBe('401 1001 Rejected');
    await changed(use, () => operate(`/merchants/${merchant.id}/enable`, reason));
    expect((await use()).status).toBe(200);
  });

  it('that stops a processor sends nothing to it from the other within 2 s, until it is resumed', async () => {
    const sell = () =>
      b.operation(
        'physical-sale',
        { amount: 500, paymentMethodId: merchant.terminal },
        { key: merchant.key },
      );
    await changed(sell, () => operate('/processors/sandbox/stop', { reason: 'a test' }));
    expect(refusal(await sell())).toBe('500 9000 Rejected');
    await changed(sell, () => operate('/processors/sandbox/resume', {}));
    expect((await sell()).status).toBe(200);
  });

  it('that disables a payment method refuses it on the other within 2 s, as a merchant is cached for that long', async () => {
    const set = async (disabled: boolean): Promise<void> => {
      const path = `/admin/v1/payment-methods/${merchant.terminal}`;
      expect((await a.call('PUT', path, { body: { disabled } })).status).toBe(200);
    };
    const body = { amount: 600, paymentMethodId: merchant.terminal };
    const sell = () => b.operation('physical-sale', body, { key: merchant.key });
    await changed(sell, () => set(true));
    expect(refusal(await sell())).toMatch(/^400 2013 /);
    await changed(sell, () => set(false));
    expect((await sell()).status).toBe(200);
  });

  it('does not use up the rate limit of the other: each counts for itself', async () => {
    const { key } = await a.otherMerchant({ rateLimitPerSecond: 1 });
    const statuses = async (api: TestApi): Promise<readonly number[]> => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => api.get(METHODS, { key })));
      return replies.map(({ status }) => status).sort();
    };
    for (const api of [a, b]) {
      const all = await statuses(api);
      expect([all.at(0), all.at(-1)]).toEqual([200, 429]);
    }
  });
});
