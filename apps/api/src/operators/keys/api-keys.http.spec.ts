import type { AdminKeyItem, ApiKeyItem, CreatedApiKey } from '@tillstream/contracts';
import { answered, eventually } from '../../testing/eventually.js';
import {
  refusal,
  startTestApi,
  type Call,
  type OtherMerchant,
  type TestApi,
} from '../../testing/test.api.js';

let api: TestApi;
let shop: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  shop = await api.otherMerchant();
});
afterAll(() => api.stop());

const path = (merchantId = shop.id) => `/admin/v1/merchants/${merchantId}/api-keys`;
const issue = (body: unknown, call: Call & { merchantId?: string } = {}) =>
  api.call('POST', path(call.merchantId), { body, ...call });
const revoke = (id: string, call: Call = {}) => api.call('DELETE', `${path()}/${id}`, call);
const made = async (body: object = {}) => answered<CreatedApiKey>(await issue({ name: 'Till', ...body }));
const list = '/v1/payment-methods';

describe('A merchant’s key', () => {
  it('is shown once, works at once, and is listed by its last four characters', async () => {
    const created = await made({ name: 'Front till' });
    expect(created).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Z]{26}$/) as string,
      name: 'Front till',
      readOnly: false,
      key: expect.stringMatching(/^sk_test_[0-9A-Za-z]{32}$/) as string,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
    });
    expect((await api.get(list, { key: created.key })).status).toBe(200);
    const page = await api.list<ApiKeyItem>(`${path()}?limit=1`);
    const { key, ...shown } = created;
    expect(page.data).toEqual([{ ...shown, lastFour: key.slice(-4) }]);
    expect(JSON.stringify(await api.list(path()))).not.toContain(key);
  });

  it('may be for reading only: writing with it is 401, 1001', async () => {
    const { key, readOnly } = await made({ readOnly: true });
    expect(readOnly).toBe(true);
    expect((await api.get(list, { key })).status).toBe(200);
    expect(refusal(await api.operation('void', {}, { key }))).toBe('401 1001 Rejected');
  });

  it('stops within 2 s of its removal, is not listed any more, and is gone: 404, 4000', async () => {
    const { id, key } = await made();
    expect((await api.get(list, { key })).status).toBe(200);
    const removed = answered<ApiKeyItem>(await revoke(id));
    expect(removed).toMatchObject({ id, lastFour: key.slice(-4), revokedAt: expect.any(String) as string });
    await eventually(async () => (await api.get(list, { key })).status === 401);
    expect(refusal(await api.get(list, { key }))).toBe('401 1000 Rejected');
    const ids = async (query = '') =>
      (await api.list<ApiKeyItem>(`${path()}?limit=100${query}`)).data.map((one) => one.id);
    expect(await ids()).not.toContain(id);
    expect(await ids('&includeRevoked=true')).toContain(id);
    expect(refusal(await revoke(id))).toBe('404 4000 Rejected');
  });

  it('of another merchant, or unknown: 404, 4000', async () => {
    const other = await api.otherMerchant();
    const { id } = await made();
    expect(refusal(await api.call('DELETE', `${path(other.id)}/${id}`))).toBe('404 4000 Rejected');
    for (const unknown of ['key_1', '%20', 'x'.repeat(300)])
      expect(refusal(await revoke(unknown))).toBe('404 4000 Rejected');
    for (const merchantId of ['mer_1', `mer_01J${'0'.repeat(23)}`]) {
      expect(refusal(await issue({ name: 'Till' }, { merchantId }))).toBe('404 4000 Rejected');
      expect(refusal(await api.get(path(merchantId)))).toBe('404 4000 Rejected');
    }
    expect((await api.get(path())).text).toContain(id);
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ readOnly: 'no' }, 'readOnly'],
    [{ key: 'sk_test_x' }, 'key'],
  ])('is not made with %j: 400, 2000, %s', async (wrong, field) => {
    expect(refusal(await issue({ name: 'Till', ...wrong }))).toBe(`400 2000 Rejected ${field}`);
  });

  it('has a name of at most 100 characters', async () => {
    expect((await made({ name: '€'.repeat(100) })).name).toHaveLength(100);
  });

  it('is made once under an Idempotency-Key, and removed once', async () => {
    const headers = { 'idempotency-key': 'front' };
    const first = await issue({ name: 'Front' }, { headers });
    expect((await issue({ name: 'Front' }, { headers })).text).toBe(first.text);
    const { id } = answered<CreatedApiKey>(first);
    const removal = await revoke(id, { headers: { 'idempotency-key': 'away' } });
    const again = await revoke(id, { headers: { 'idempotency-key': 'away' } });
    expect([again.status, again.text]).toEqual([200, removal.text]);
  });

  it('is one of at most 100 that work: 400, 2011', async () => {
    const full = await api.otherMerchant();
    const issued = () => issue({ name: 'Till' }, { merchantId: full.id });
    for (let count = 1; count < 100; count++) expect((await issued()).status).toBe(200);
    expect(refusal(await issued())).toBe('400 2011 Rejected');
  }, 60_000);

  it('is listed in pages without gaps, either way', async () => {
    const many = await api.otherMerchant();
    for (let count = 0; count < 4; count++) await issue({ name: `Till ${count}` }, { merchantId: many.id });
    const all = await api.list<ApiKeyItem>(`${path(many.id)}?sort=createdAt&includeTotal=true`);
    expect(all).toMatchObject({ total: 5, hasMore: false, nextCursor: null });
    const seen: ApiKeyItem[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { data: ApiKeyItem[]; nextCursor: string | null } = await api.list<ApiKeyItem>(
        `${path(many.id)}?limit=2${from}`,
      );
      seen.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([...all.data].reverse());
    const { nextCursor } = await api.list(`${path(many.id)}?limit=2`);
    expect(refusal(await api.get(`${path()}?cursor=${nextCursor}`))).toBe('400 2000 Rejected cursor');
    expect(refusal(await api.get(`${path()}?name=x`))).toBe('400 2000 Rejected name');
  });
});

describe('The list of admin keys', () => {
  it('has the one of sandbox.json, never the key itself', async () => {
    const reply = await api.get('/admin/v1/admin-keys');
    const { data } = JSON.parse(reply.text) as { data: AdminKeyItem[] };
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^key_/) as string,
        name: 'Demo operator',
        lastFour: api.adminKey.slice(-4),
        createdAt: expect.any(String) as string,
        createdBy: 'first start',
      },
    ]);
    expect(reply.text).not.toContain(api.adminKey);
  });

  it('follows a key that is exchanged: the new one works at once, the old one stops within 2 s', async () => {
    const { provisioning } = api.running;
    const actor = { type: 'Operator', name: 'Ann' } as const;
    const old = await provisioning.issueAdminKey(actor, { name: 'Night shift' });
    const path = '/admin/v1/admin-keys';
    expect((await api.get(path, { key: old.key })).status).toBe(200);
    const next = await provisioning.rotateAdminKey(actor, 'Night shift');
    expect((await api.get(path, { key: next.key })).status).toBe(200);
    await eventually(async () => (await api.get(path, { key: old.key })).status === 401);
    const ids = async (query: string) =>
      (await api.list<AdminKeyItem>(`${path}${query}`)).data.map(({ id }) => id);
    expect(await ids('')).not.toContain(old.keyId);
    expect(await ids('')).toContain(next.keyId);
    expect(await ids('?includeRevoked=true')).toContain(old.keyId);
    expect(refusal(await api.get(path, { key: api.key }))).toBe('401 1000 Rejected');
  });
});
