import type { OperatorPaymentMethod } from '@tillstream/contracts';
import { startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(() => api.stop());

async function restarted(settings: Record<string, string> = {}): Promise<void> {
  await api.stop({ keepData: true });
  api = await startTestApi({ DATA_DIR: api.dataDir, ...settings });
}
const put = (body: object) =>
  api.call('PUT', `/admin/v1/payment-methods/${api.method('Card form').id}`, { body });
async function originsOf(form: string): Promise<readonly string[] | undefined> {
  const path = `/admin/v1/merchants/${api.running.facts.merchantId}/payment-methods`;
  const { data } = await api.list<OperatorPaymentMethod>(path);
  return data.find(({ description }) => description === form)?.allowedOrigins;
}
const own = () => ['localhost', '127.0.0.1'].map((host) => `http://${host}:${api.running.port}`);

describe('A form of the demo merchant', () => {
  it('allows the pages of the service itself, by both names', async () => {
    for (const form of ['Card form', 'ACH form', 'EFT form']) expect(await originsOf(form)).toEqual(own());
  });

  it('allows them at the port of the newest start, beside those that an operator registered', async () => {
    const before = own();
    const registered = ['https://shop.example', 'http://localhost:8080'];
    await put({ allowedOrigins: [...before, ...registered], description: 'Checkout' });
    await restarted();
    expect(own()).not.toEqual(before);
    expect(await originsOf('Checkout')).toEqual([...own(), ...registered]);
  });

  it('allows the address at which browsers reach the service, and the shop embeds forms of it', async () => {
    await restarted({ PUBLIC_URL: 'https://pay.example' });
    expect(await originsOf('Card form')).toEqual([...own(), 'https://pay.example']);
    const shop = await api.get('/sandbox/shop', { key: null });
    expect(shop.headers.get('content-security-policy')).toContain("frame-src 'self' https://pay.example;");
  });
});
