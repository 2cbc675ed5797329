import type { WebhookEndpoint } from '@tillstream/contracts';
import { answered } from '../testing/eventually.js';
import { refusal, startTestApi, type Reply, type TestApi } from '../testing/test.api.js';

const PATH = '/v1/webhook-endpoints';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await startTestApi();
  ({ key } = await api.otherMerchant({ managedWebhooks: true }));
});
afterAll(() => api.stop());

const create = (body: object): Promise<Reply> => api.call('POST', PATH, { key, body });
const withUrl = (url: unknown): Promise<Reply> => create({ url, eventTypes: ['*'] });

describe('The url of a webhook endpoint', () => {
  it.each([
    ['https://shop.example:8443/hooks?token=a&b=c'],
    ['https://shop.example/hooks#part'],
    ['HTTPS://Shop.Example/Hooks'],
    ['https://xn--bcher-kva.example/'],
    ['https://bücher.example/straße'],
    ['https://[2606:4700:4700::1111]/hooks'],
    ['https://1.1.1.1/hooks'],
    [`https://shop.example/${'a'.repeat(2_027)}`],
  ])('can be %s, and is shown as it was sent', async (url) => {
    const { id, url: shown } = answered<WebhookEndpoint>(await withUrl(url));
    expect(shown).toBe(url);
    await api.call('DELETE', `${PATH}/${id}`, { key });
  });

  it.each([
    [''],
    ['   '],
    [42],
    [['https://shop.example']],
    ['/hooks'],
    ['//shop.example/hooks'],
    ['ftp://shop.example/'],
    ['javascript:alert(1)'],
    ['file:///etc/passwd'],
    ['https://'],
    ['https:///hooks'],
    ['https:shop.example'],
    ['https://shop.example:99999/'],
    ['https://ann@shop.example/'],
    ['https://:secret@shop.example/'],
    ['https://shop.example/\nX: y'],
    [' https://shop.example/'],
    ['https://shop.exam ple/'],
    ['https://0/'],
    ['https://012.0.0.1/'],
    ['https://0x7f.1.2.3.4/'],
    ['https://[::1'],
    ['https://[fe80::1]/'],
    ['https://[fd00::1]/'],
    ['https://192.0.2.1/'],
    ['https://100.64.0.1/'],
    ['https://224.0.0.1/'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://①⑥⑨.254.169.254/'],
    ['https://3232235521/'],
    [`https://shop.example/${'a'.repeat(2_028)}`],
  ])('can not be %j: 400, 2000, and no error repeats it', async (url) => {
    const reply = await withUrl(url);
    expect(refusal(reply)).toBe('400 2000 Rejected url');
    if (typeof url === 'string' && url.length > 3 && url.trim() !== '')
      expect(reply.text).not.toContain(JSON.stringify(url).slice(1, -1));
  });
});

describe('The other fields of a webhook endpoint', () => {
  const url = 'https://shop.example/';

  it.each([
    [{ eventTypes: ['sale.completed', null] }, '2000 Rejected eventTypes'],
    [{ eventTypes: {} }, '2000 Rejected eventTypes'],
    [{ eventTypes: [''] }, '2903 Rejected eventTypes'],
    [{ eventTypes: ['SALE.COMPLETED'] }, '2903 Rejected eventTypes'],
    [{ eventTypes: [['*']] }, '2000 Rejected eventTypes'],
    [{ eventTypes: Array(1_000).fill('*') }, '2000 Rejected eventTypes'],
    [{ eventTypes: ['*'], description: 'a\u0000b' }, '2000 Rejected description'],
    [{ eventTypes: ['*'], description: 7 }, '2000 Rejected description'],
    [{ eventTypes: ['*'], status: 'enabled' }, '2000 Rejected status'],
    [{ eventTypes: ['*'], disabledReason: 'Gone' }, '2000 Rejected disabledReason'],
    [{ eventTypes: ['*'], id: 'whe_01JQ0000000000000000000000' }, '2000 Rejected id'],
    [{ eventTypes: ['*'], __proto__x: 1 }, '2000 Rejected __proto__x'],
  ])('are not %j: 400, %s', async (fields, expected) => {
    expect(refusal(await create({ url, ...fields }))).toBe(`400 ${expected}`);
  });

  it('take 100 code points of a description, a type named twice once, and null as left out', async () => {
    const description = '😀'.repeat(100);
    const eventTypes = ['token.removed', '*', 'token.removed', 'payment.returned'];
    const made = answered<WebhookEndpoint>(await create({ url, eventTypes, description, status: null }));
    expect(made).toMatchObject({
      description,
      eventTypes: ['token.removed', '*', 'payment.returned'],
      status: 'Enabled',
    });
    expect(refusal(await api.call('PUT', `${PATH}/${made.id}`, { key, body: { status: null } }))).toBe(
      '400 2000 Rejected body',
    );
    expect(refusal(await create({ url, eventTypes, description: '😀'.repeat(101) }))).toBe(
      '400 2000 Rejected description',
    );
  });
});
