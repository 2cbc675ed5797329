import { statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PricingTemplate, WebhookEndpoint } from '@tillstream/contracts';
import { startTestApi, type TestApi } from '../testing/test.api.js';
import { refuseReadsOfAll } from '../testing/test.store.js';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi({ SANDBOX_TERMINALS: '1' });
});
afterEach(() => api.stop());

/** Stops it and starts it again on the same directory. */
async function restarted(settings: Record<string, string> = {}, between = () => {}): Promise<void> {
  await api.stop({ keepData: true });
  between();
  api = await startTestApi({ DATA_DIR: api.dataDir, ...settings });
}
const file = () => join(api.dataDir, 'sandbox.json');
const names = () => api.running.facts.paymentMethods.map(({ description }) => description);

describe('The first start', () => {
  it('makes the demo merchant, and writes its facts for its owner only', () => {
    const { facts } = api.running;
    expect(facts).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/localhost:\d+\/v1$/) as string,
      adminBaseUrl: expect.stringMatching(/^http:\/\/localhost:\d+\/admin\/v1$/) as string,
      apiKey: expect.stringMatching(/^sk_test_[A-Za-z0-9]{32}$/) as string,
      adminKey: expect.stringMatching(/^ak_[A-Za-z0-9]{32}$/) as string,
      merchantId: expect.stringMatching(/^mer_/) as string,
    });
    const methods = facts.paymentMethods.map(
      ({ type, currency, description, isDefault }) => `${type} ${currency} ${description} ${isDefault}`,
    );
    expect(methods).toEqual([
      'Physical USD Front counter true',
      'Physical CAD Mobile false',
      'Virtual USD Card form true',
      'VirtualAch USD ACH form false',
      'VirtualEft CAD EFT form false',
      'Physical USD Lane 1 false',
    ]);
    // Machines that share PostgreSQL are given the same key of answers.
    const made = globalThis.SHARED_STORE === 'postgres' ? [] : ['answers.key'];
    for (const secret of ['sandbox.json', ...made]) {
      expect(statSync(join(api.dataDir, secret)).mode & 0o777).toBe(0o600);
    }
  });
});

const PATH = '/v1/webhook-endpoints';
const endpoints = async () => (await api.list<WebhookEndpoint>(PATH)).data;
const tester = () => `${api.running.origin}/sandbox/webhooks/receive`;

describe('The endpoint of the demo merchant', () => {
  it('gets all events at the endpoint tester of this start', async () => {
    const first = await endpoints();
    expect(first).toMatchObject([{ url: tester(), eventTypes: ['*'], status: 'Enabled', method: 'Managed' }]);
    await restarted();
    expect(await endpoints()).toMatchObject([{ id: first[0]?.id, url: tester() }]);
  });

  it.each([
    ['moved', 'PUT', { url: 'https://shop.example/webhooks' }],
    ['deleted', 'DELETE', undefined],
  ])('stays %s', async (_how, method, body) => {
    const [{ id } = { id: '' }] = await endpoints();
    expect((await api.call(method, `${PATH}/${id}`, body ? { body } : {})).status).toBe(200);
    await restarted();
    expect(await endpoints()).toMatchObject(body ? [{ id, ...body }] : []);
  });

  it('does not exist where settings allow no delivery to this machine', async () => {
    await api.stop();
    api = await startTestApi({ WEBHOOK_ALLOWED_SUBNETS: '10.0.0.0/8' });
    expect(await endpoints()).toEqual([]);
  });
});

const pricing = async () =>
  (
    await api.list<PricingTemplate>(
      `/admin/v1/merchants/${api.running.facts.merchantId}/pricing-templates?sort=createdAt`,
    )
  ).data;

describe('The pricing of the demo merchant', () => {
  it('is one approved template, in effect at once, and the same after a later start', async () => {
    const [template, ...more] = await pricing();
    expect(template).toMatchObject({ version: 1, name: 'Standard', status: 'Approved' });
    expect(template?.validFrom).toBe(template?.createdAt);
    expect(more).toEqual([]);
    await restarted();
    expect(await pricing()).toEqual([template]);
  });

  it('stays as operators change it', async () => {
    const path = `/admin/v1/merchants/${api.running.facts.merchantId}/pricing-templates`;
    await api.call('POST', path, { body: { name: 'Standard' } });
    const before = await pricing();
    expect(before.map(({ status }) => status)).toEqual(['Approved', 'Submitted']);
    await restarted();
    expect(await pricing()).toEqual(before);
  });
});

describe('A later start', () => {
  it('keeps merchant, keys and payment methods, and adds the terminals that are missing', async () => {
    const before = api.running.facts;
    await restarted({ SANDBOX_TERMINALS: '3' });
    const { apiKey, adminKey, merchantId, paymentMethods } = api.running.facts;
    expect([apiKey, adminKey, merchantId]).toEqual([before.apiKey, before.adminKey, before.merchantId]);
    expect(paymentMethods.slice(0, 6)).toEqual(before.paymentMethods);
    expect(names().slice(6)).toEqual(['Lane 2', 'Lane 3']);
  });

  it('waits for a store that refuses some of its reads', async () => {
    const { apiKey } = api.running.facts;
    await restarted({}, () => refuseReadsOfAll(api.dataDir, 3));
    expect(api.running.facts.apiKey).toBe(apiKey);
  });

  it('leaves what an operator changed as it is, and makes nothing of it again', async () => {
    const { id } = api.method('Front counter');
    const eft = api.method('EFT form').id;
    const put = (path: string, body: object) => api.call('PUT', `/admin/v1/${path}`, { body });
    await put(`payment-methods/${id}`, { description: 'Till by the door' });
    for (const cad of [eft, api.method('Mobile').id]) await put(`payment-methods/${cad}`, { disabled: true });
    const { merchantId } = api.running.facts;
    expect((await put(`merchants/${merchantId}`, { currencies: ['USD'] })).status).toBe(200);
    await restarted();
    expect(names()).toEqual(['Till by the door', 'Card form', 'ACH form', 'Lane 1']);
  });

  it.each([
    ['lost', () => unlinkSync(file())],
    ['broken', () => writeFileSync(file(), '{"apiKey":')],
    ['of other keys', () => writeFileSync(file(), '{"apiKey":"sk_test_x","adminKey":1}')],
  ])('makes new keys where sandbox.json is %s, for the same merchant', async (_how, spoil) => {
    const { merchantId } = api.running.facts;
    await restarted({}, spoil);
    expect(api.running.facts.merchantId).toBe(merchantId);
    expect((await api.get('/v1/payment-methods')).status).toBe(200);
    expect((await api.get('/admin/v1/sandbox/clock')).status).toBe(200);
  });
});
