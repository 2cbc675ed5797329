import type { ListPage, PaymentMethodListItem } from '@tillstream/contracts';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ SANDBOX_TERMINALS: '3' });
});
afterAll(() => api.stop());

const list = async (query = ''): Promise<ListPage<PaymentMethodListItem>> =>
  JSON.parse((await api.get(`/v1/payment-methods${query}`)).text) as ListPage<PaymentMethodListItem>;
const names = ({ data }: ListPage<PaymentMethodListItem>) => data.map(({ description }) => description);

describe('The list of payment methods', () => {
  it('has id, type, currency, description and whether it is a default, newest first', async () => {
    const page = await list();
    expect(names(page)).toEqual([
      'Lane 3',
      'Lane 2',
      'Lane 1',
      'EFT form',
      'ACH form',
      'Card form',
      'Mobile',
      'Front counter',
    ]);
    expect(page.data.at(-1)).toEqual({
      id: expect.stringMatching(/^pmt_trm_[0-9A-Z]{26}$/) as string,
      type: 'Physical',
      currency: 'USD',
      description: 'Front counter',
      isDefault: true,
    });
    expect(page).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it('is of the merchant alone, without disabled ones', async () => {
    const shop = await api.otherMerchant();
    const own = async () =>
      JSON.parse((await api.get('/v1/payment-methods', { key: shop.key })).text) as { data: unknown[] };
    expect((await own()).data).toHaveLength(1);
    const actor = { type: 'Operator', name: 'tester' } as const;
    await api.running.provisioning.changePaymentMethod(
      actor,
      { merchantId: shop.id, paymentMethodId: shop.terminal },
      { disabled: true },
    );
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    expect((await own()).data).toHaveLength(0);
  });

  it('is filtered by type and currency; several values mean any', async () => {
    expect(names(await list('?currency=CAD'))).toEqual(['EFT form', 'Mobile']);
    expect(names(await list('?type=Virtual&type=VirtualAch'))).toEqual(['ACH form', 'Card form']);
    expect(names(await list('?type=Physical&currency=CAD'))).toEqual(['Mobile']);
  });

  it('is sorted by createdAt, either way, and pages through without gaps', async () => {
    const all = names(await list('?sort=createdAt'));
    expect(all[0]).toBe('Front counter');
    const seen: (string | undefined)[] = [];
    let cursor = '';
    for (;;) {
      const page = await list(`?sort=createdAt&limit=3${cursor}`);
      seen.push(...names(page));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(all);
  });

  it('has a total when asked for it', async () => {
    expect((await list('?includeTotal=true&limit=1')).total).toBe(8);
    expect(await list('?includeTotal=false')).not.toHaveProperty('total');
  });

  it.each([
    ['type=Token', 'type'],
    ['currency=EUR', 'currency'],
    ['sort=amount', 'sort'],
    ['sort=', 'sort'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=001', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['includeTotal=1', 'includeTotal'],
    ['cursor=abc', 'cursor'],
    ['page=1', 'page'],
  ])('refuses ?%s: 2000', async (query, field) => {
    expect(refusal(await api.get(`/v1/payment-methods?${query}`))).toBe(`400 2000 Rejected ${field}`);
  });

  it('refuses a cursor under other filters or another sort', async () => {
    const { nextCursor } = await list('?limit=1');
    for (const query of ['sort=createdAt', 'type=Physical']) {
      const reply = await api.get(`/v1/payment-methods?limit=1&${query}&cursor=${nextCursor}`);
      expect(refusal(reply)).toBe('400 2000 Rejected cursor');
    }
  });
});
