import type { Merchant } from '@tillstream/contracts';
import { merchantStream } from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';
import { eventMetadata } from '@tillstream/payments';
import { noLog, openAdapters } from '@tillstream/platform';
import { answered, eventually } from '../../testing/eventually.js';
import { envelopeOf, refusal, startTestApi, type Call, type TestApi } from '../../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const PATH = '/admin/v1/merchants';
const create = (body: unknown, call: Call = {}) => api.call('POST', PATH, { body, ...call });
const change = (id: string, body: unknown, call: Call = {}) =>
  api.call('PUT', `${PATH}/${id}`, { body, ...call });
const post = (path: string, body: unknown = {}, call: Call = {}) =>
  api.call('POST', `${PATH}/${path}`, { body, ...call });
const made = async (body: object = {}) =>
  answered<Merchant>(await create({ name: 'Elm Street Toys', ...body }));
const keyOf = async (id: string, body: object = {}) =>
  answered<{ key: string }>(await post(`${id}/api-keys`, { name: 'Till', ...body })).key;
const list = '/v1/payment-methods';

/** As another process on the same stores reads it. */
async function historyOf(id: string): Promise<readonly RecordedEvent[]> {
  const adapters = await openAdapters(api.config, noLog);
  try {
    return (await adapters.store.readStream(merchantStream(id))).events;
  } finally {
    await adapters.close();
  }
}

describe('A change of a merchant', () => {
  it('changes what it names and leaves the rest; null is left out', async () => {
    const before = await made({ unreferencedRefunds: { enabled: true, dailyLimit: 5 } });
    const reply = await change(before.id, {
      name: 'Elm & Oak',
      cutOff: null,
      unreferencedRefunds: { enabled: true },
      rateLimitPerSecond: 7,
    });
    const after = answered<Merchant>(reply);
    expect(after).toEqual({
      ...before,
      name: 'Elm & Oak',
      unreferencedRefunds: { enabled: true },
      rateLimitPerSecond: 7,
      updatedAt: after.updatedAt,
    });
    expect((await api.get(`${PATH}/${before.id}`)).text).toBe(reply.text);
  });

  it('names at least one setting: 2000, field body; no body is 2900', async () => {
    const { id } = await made();
    expect(refusal(await change(id, {}))).toBe('400 2000 Rejected body');
    expect(refusal(await change(id, { name: null }))).toBe('400 2000 Rejected body');
    expect(refusal(await api.call('PUT', `${PATH}/${id}`))).toBe('400 2900 Rejected body');
  });

  it('does not take a currency away from a payment method that can be used: 2000, currencies', async () => {
    const { id } = await made();
    const terminal = answered<{ id: string }>(await post(`${id}/terminals`, { currency: 'CAD' })).id;
    const reply = await change(id, { currencies: ['USD'] });
    expect(refusal(reply)).toBe('400 2000 Rejected currencies');
    expect(envelopeOf(reply).errorDetails[0]?.details).toContain(terminal);
    await api.call('PUT', `/admin/v1/payment-methods/${terminal}`, { body: { disabled: true } });
    expect(answered<Merchant>(await change(id, { currencies: ['USD'] })).currencies).toEqual(['USD']);
  });

  it('is in history with its operator: x-actor, else the name of the key; what changes nothing is not', async () => {
    const { id } = await made();
    const headers = { 'x-actor': Buffer.from('Zoë').toString('latin1') };
    await change(id, { cutOff: '20:00' }, { headers });
    await change(id, { cutOff: '20:00' });
    await post(`${id}/disable`, { reason: 'gone' });
    await post(`${id}/disable`, { reason: 'still gone' });
    await post(`${id}/enable`);
    const events = await historyOf(id);
    const said = events.map((one) => [one.type, eventMetadata(one).actor.name, eventMetadata(one).reason]);
    expect(said).toEqual([
      ['MerchantCreated', 'Demo operator', undefined],
      ['MerchantChanged', 'Zoë', undefined],
      ['MerchantDisabled', 'Demo operator', 'gone'],
      ['MerchantEnabled', 'Demo operator', undefined],
    ]);
    expect(eventMetadata(events[0] as (typeof events)[0]).traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each(['', 'x'.repeat(101)])('with the x-actor %j: 2000', async (actor) => {
    const reply = await create({ name: 'x' }, { headers: { 'x-actor': actor } });
    expect(refusal(reply)).toBe('400 2000 Rejected x-actor');
  });

  it('of its rate limit takes effect within 2 s', async () => {
    const { id } = await made({ rateLimitPerSecond: 50 });
    const key = await keyOf(id);
    const limit = async () => (await api.get('/v1/nothing', { key })).headers.get('x-ratelimit-limit');
    expect(await limit()).toBe('50');
    await change(id, { rateLimitPerSecond: 70 });
    await eventually(async () => (await limit()) === '70');
  });
});

describe('A disabled merchant', () => {
  it('is refused within 2 s, 401, 1001, and comes back as fast', async () => {
    const { id, createdAt } = await made();
    const key = await keyOf(id);
    expect((await api.get(list, { key })).status).toBe(200);
    const disabled = answered<Merchant>(await post(`${id}/disable`, { reason: 'fraud suspected' }));
    expect(disabled).toMatchObject({ id, status: 'Disabled', createdAt });
    await eventually(async () => (await api.get(list, { key })).status === 401);
    expect(refusal(await api.get(list, { key }))).toBe('401 1001 Rejected');
    expect(answered<Merchant>(await post(`${id}/enable`)).status).toBe('Active');
    await eventually(async () => (await api.get(list, { key })).status === 200);
  });

  it.each([
    [{ reason: '' }, 'reason'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ why: 'x' }, 'why'],
  ])('is not disabled with %j: 2000', async (body, field) => {
    const { id } = await made();
    expect(refusal(await post(`${id}/disable`, body))).toBe(`400 2000 Rejected ${field}`);
    expect(refusal(await post(`${id}/enable`, body))).toBe(`400 2000 Rejected ${field}`);
  });

  it('needs no reason and no body, and has one of at most 500 characters', async () => {
    const { id } = await made();
    expect(answered<Merchant>(await api.call('POST', `${PATH}/${id}/disable`)).status).toBe('Disabled');
    expect(answered<Merchant>(await post(`${id}/enable`, { reason: '€'.repeat(500) })).status).toBe('Active');
  });
});
