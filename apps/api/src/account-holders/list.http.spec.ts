import type { AccountHolder } from '@tillstream/contracts';
import { refusal, startTestApi, type OtherMerchant, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
const names = ['a', 'b', 'c', 'd', 'e'];
beforeAll(async () => {
  api = await startTestApi();
  other = await api.otherMerchant();
  for (const externalId of names) {
    await api.call('POST', '/v1/account-holders', { body: { externalId, name: `Name of ${externalId}` } });
  }
  await api.call('POST', '/v1/account-holders', { body: { externalId: 'a' }, key: other.key });
  await api.call('PUT', '/v1/account-holders/b', { body: { phone: '1' } });
});
afterAll(() => api.stop());

const list = (query = '', key = api.key) => api.list<AccountHolder>(`/v1/account-holders${query}`, { key });
const found = async (query = '', key?: string) =>
  (await list(query, key)).data.map(({ externalId }) => externalId).join('');

describe('The list of account holders', () => {
  it('is of the merchant alone, the newest first, in full', async () => {
    expect(await found()).toBe('edcba');
    expect(await found('', other.key)).toBe('a');
    const { data } = await list();
    expect(data[0]).toEqual(JSON.parse((await api.get('/v1/account-holders/e')).text));
    expect(data.map(({ name }) => name)).toEqual([...names].reverse().map((one) => `Name of ${one}`));
  });

  it('is filtered by external id; several values mean any', async () => {
    expect(await found('?externalId=c')).toBe('c');
    expect(await found('?externalId=c&externalId=a&externalId=nobody')).toBe('ca');
    expect(await found('?externalId=nobody')).toBe('');
  });

  it('is sorted by creation or by the last change', async () => {
    expect(await found('?sort=createdAt')).toBe('abcde');
    expect(await found('?sort=-updatedAt')).toBe('bedca');
  });

  it('comes in pages with a total', async () => {
    const first = await list('?limit=2&includeTotal=true');
    expect(first).toMatchObject({ total: 5, hasMore: true });
    expect(await found(`?limit=100&cursor=${first.nextCursor}`)).toBe('cba');
    expect(refusal(await api.get(`/v1/account-holders?cursor=${first.nextCursor}&externalId=a`))).toBe(
      '400 2000 Rejected cursor',
    );
  });

  it.each([
    ['externalId=', 'externalId'],
    [`externalId=${'x'.repeat(101)}`, 'externalId'],
    ['sort=name', 'sort'],
    ['name=a', 'name'],
    ['limit=101', 'limit'],
  ])('refuses ?%s: 2000', async (query, field) => {
    expect(refusal(await api.get(`/v1/account-holders?${query}`))).toBe(`400 2000 Rejected ${field}`);
  });

  it('forgets who was erased', async () => {
    await api.call('DELETE', '/v1/account-holders/d');
    expect(await found()).toBe('ecba');
    expect((await list('?includeTotal=true')).total).toBe(4);
  });
});
