import type { Merchant } from '@tillstream/contracts';
import { answered } from '../../testing/eventually.js';
import { envelopeOf, refusal, startTestApi, type Call, type TestApi } from '../../testing/test.api.js';
import { isTimeZone } from './merchants.dto.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const PATH = '/admin/v1/merchants';
const unknown = `mer_01J${'0'.repeat(23)}`;
const create = (body: unknown, call: Call = {}) => api.call('POST', PATH, { body, ...call });
const change = (id: string, body: unknown, call: Call = {}) =>
  api.call('PUT', `${PATH}/${id}`, { body, ...call });
const post = (path: string, body: unknown = {}, call: Call = {}) =>
  api.call('POST', `${PATH}/${path}`, { body, ...call });
const made = async (body: object = {}) =>
  answered<Merchant>(await create({ name: 'Elm Street Toys', ...body }));
const keyOf = async (id: string, body: object = {}) =>
  answered<{ key: string }>(await post(`${id}/api-keys`, { name: 'Till', ...body })).key;

describe('A merchant', () => {
  it('has what it was not given by default, and is looked up and listed with the same bytes', async () => {
    const reply = await create({ name: 'Elm Street Toys' });
    const merchant = answered<Merchant>(reply);
    expect(merchant).toEqual({
      id: expect.stringMatching(/^mer_[0-9A-Z]{26}$/) as string,
      name: 'Elm Street Toys',
      status: 'Active',
      currencies: ['USD', 'CAD'],
      timeZone: 'America/New_York',
      cutOff: '22:00',
      locale: 'en-US',
      fundingType: 'Net',
      managedWebhooks: false,
      unreferencedRefunds: { enabled: false },
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      updatedAt: merchant.createdAt,
    });
    expect((await api.get(`${PATH}/${merchant.id}`)).text).toBe(reply.text);
    const { data } = await api.list<Merchant>(`${PATH}?limit=1`);
    expect(JSON.stringify(data[0])).toBe(reply.text);
  });

  it('has every setting that it was given', async () => {
    const settings = {
      name: '€'.repeat(100),
      currencies: ['CAD'],
      timeZone: 'America/Toronto',
      cutOff: '23:59',
      locale: 'fr-CA',
      fundingType: 'Gross',
      managedWebhooks: true,
      unreferencedRefunds: { enabled: true, dailyLimit: 999_999_999 },
      rateLimitPerSecond: 1_000_000,
    };
    expect(await made(settings)).toMatchObject(settings);
    const least = { dailyLimit: 0, enabled: false };
    expect(await made({ unreferencedRefunds: least, rateLimitPerSecond: 0, locale: 'en' })).toMatchObject({
      unreferencedRefunds: least,
      rateLimitPerSecond: 0,
    });
  });

  it('can take payments at once', async () => {
    const { id } = await made();
    const key = await keyOf(id);
    const terminal = answered<{ id: string }>(await post(`${id}/terminals`, { currency: 'USD' })).id;
    const sale = await api.transaction('physical-sale', { amount: 1_000 }, { key });
    expect(sale).toMatchObject({ status: 'Completed', paymentMethod: { id: terminal } });
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u0007' }, 'name'],
    [{ name: 1 }, 'name'],
    [{ currencies: [] }, 'currencies'],
    [{ currencies: ['EUR'] }, 'currencies'],
    [{ currencies: ['USD', 'USD'] }, 'currencies'],
    [{ currencies: [null] }, 'currencies'],
    [{ currencies: 'USD' }, 'currencies'],
    [{ timeZone: 'New York' }, 'timeZone'],
    [{ timeZone: '+05:00' }, 'timeZone'],
    [{ cutOff: '24:00' }, 'cutOff'],
    [{ cutOff: '9:00' }, 'cutOff'],
    [{ cutOff: '22:60' }, 'cutOff'],
    [{ locale: 'es-US' }, 'locale'],
    [{ locale: 'en_US' }, 'locale'],
    [{ locale: 'fr-XX' }, 'locale'],
    [{ fundingType: 'net' }, 'fundingType'],
    [{ managedWebhooks: 'true' }, 'managedWebhooks'],
    [{ unreferencedRefunds: true }, 'unreferencedRefunds'],
    [{ unreferencedRefunds: {} }, 'unreferencedRefunds.enabled'],
    [{ unreferencedRefunds: { enabled: 1 } }, 'unreferencedRefunds.enabled'],
    [{ unreferencedRefunds: { enabled: true, dailyLimit: -1 } }, 'unreferencedRefunds.dailyLimit'],
    [{ unreferencedRefunds: { enabled: true, dailyLimit: 1_000_000_000 } }, 'unreferencedRefunds.dailyLimit'],
    [{ unreferencedRefunds: { enabled: true, limit: 1 } }, 'unreferencedRefunds.limit'],
    [{ rateLimitPerSecond: -1 }, 'rateLimitPerSecond'],
    [{ rateLimitPerSecond: 1_000_001 }, 'rateLimitPerSecond'],
    [{ rateLimitPerSecond: 1.5 }, 'rateLimitPerSecond'],
    [{ status: 'Active' }, 'status'],
    [{ id: unknown }, 'id'],
  ])('is not made with %j: 400, 2000, %s', async (wrong, field) => {
    const reply = await create({ name: 'Elm Street Toys', ...wrong });
    expect(refusal(reply)).toBe(`400 2000 Rejected ${field}`);
    expect(envelopeOf(reply).errorDetails[0]?.details).toMatch(/allowed/);
  });

  it('has a time zone in the spelling of the database, old names too', () => {
    for (const good of ['America/New_York', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC', 'US/Eastern'])
      expect([good, isTimeZone(good)]).toEqual([good, true]);
    for (const bad of ['America/new_york', 'utc', 'America', '', 'A'.repeat(65), 'Mars/Olympus'])
      expect([bad, isTimeZone(bad)]).toEqual([bad, false]);
  });

  it('that does not exist: 404, 4000, after the errors of the body', async () => {
    for (const id of [unknown, 'mer_1', 'x', '%20', 'mer_%00']) {
      expect(refusal(await api.get(`${PATH}/${id}`))).toBe('404 4000 Rejected');
      expect(refusal(await change(id, { name: 'x' }))).toBe('404 4000 Rejected');
      expect(refusal(await post(`${id}/disable`))).toBe('404 4000 Rejected');
      expect(refusal(await change(id, { name: '' }))).toBe('400 2000 Rejected name');
    }
  });

  it('is for operators only: 401, 1000', async () => {
    expect(refusal(await create({ name: 'x' }, { key: api.key }))).toBe('401 1000 Rejected');
    expect(refusal(await api.get(PATH, { key: null }))).toBe('401 1000 Rejected');
  });

  it('is made once under an Idempotency-Key, and another body with it is 2000', async () => {
    const headers = { 'idempotency-key': 'elm' };
    const first = await create({ name: 'Once' }, { headers });
    const second = await create({ name: 'Once' }, { headers });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(refusal(await create({ name: 'Twice' }, { headers }))).toBe('400 2000 Rejected Idempotency-Key');
  });
});

describe('The list of merchants', () => {
  it('comes in pages, by status, sorted by creation or change, with a total', async () => {
    const first = await made();
    const second = await made();
    await post(`${first.id}/disable`);
    const page = async (query: string) => api.list<Merchant>(`${PATH}?${query}`);
    const newest = await page('limit=2');
    expect(newest.data.map(({ id }) => id)).toContain(second.id);
    expect(newest.hasMore).toBe(true);
    const changedLast = await page('limit=1&sort=-updatedAt');
    expect(changedLast.data.map(({ id }) => id)).toEqual([first.id]);
    const disabled = await page('status=Disabled&limit=100');
    expect(disabled.data.every(({ status }) => status === 'Disabled')).toBe(true);
    expect(disabled.data.map(({ id }) => id)).toContain(first.id);
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const next: { data: Merchant[]; nextCursor: string | null; total?: number } = await page(
        `limit=3&includeTotal=true&sort=createdAt${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...next.data.map(({ id }) => id));
      cursor = next.nextCursor;
      if (cursor === null) expect(next.total).toBe(seen.length);
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.at(0)).toBe(api.running.facts.merchantId);
  });

  it.each(['limit=0', 'limit=101', 'sort=name', 'status=active', 'cursor=x', 'name=x'])(
    'refuses ?%s: 2000',
    async (query) => {
      const [field] = query.split('=');
      expect(refusal(await api.get(`${PATH}?${query}`))).toBe(`400 2000 Rejected ${field}`);
    },
  );
});
