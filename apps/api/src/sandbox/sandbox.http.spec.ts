import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let terminal: string;
beforeAll(async () => {
  api = await startTestApi();
  terminal = api.method('Front counter').id;
});
afterAll(() => api.stop());

const path = (id: string) => `/admin/v1/sandbox/terminals/${id}`;
const clock = '/admin/v1/sandbox/clock';
const put = (body: unknown, id = terminal) => api.call('PUT', path(id), { body });
const move = (body: unknown) => api.call('POST', clock, { body });
const json = (text: string): unknown => JSON.parse(text);

describe('A simulated terminal', () => {
  it('shows its mode and card', async () => {
    const reply = await api.get(path(terminal));
    expect(json(reply.text)).toEqual({ id: terminal, mode: 'Auto', card: null, waiting: null });
  });

  it('takes a mode and a card, and what is left out or null is the default', async () => {
    expect(json((await put({ mode: 'LowBattery', card: '5555555555554444' })).text)).toMatchObject({
      mode: 'LowBattery',
      card: '5555555555554444',
    });
    expect(json((await put({ card: 'GIFT' })).text)).toMatchObject({ mode: 'Auto', card: 'GIFT' });
    expect(json((await put({ mode: 'Offline', card: null })).text)).toMatchObject({
      mode: 'Offline',
      card: null,
    });
    expect(json((await put({})).text)).toMatchObject({ mode: 'Auto', card: null });
    await put({ mode: 'Offline' });
    expect(json((await api.call('PUT', path(terminal))).text)).toMatchObject({ mode: 'Auto' });
  });

  it('pays with its card', async () => {
    await put({ card: '4000000000009995' });
    const sale = await api.transaction('physical-sale', { amount: 1_000 });
    expect(sale.transactionResponses[0]?.responseCode).toBe(11);
    await put({});
  });

  it('with its battery low ends with 3006', async () => {
    await put({ mode: 'LowBattery' });
    const sale = await api.transaction('physical-sale', { amount: 1_000 });
    expect(sale).toMatchObject({ status: 'Cancelled', resultCode: 3006 });
    await put({});
  });

  it('that is offline ends with 1003 after 2 s', async () => {
    await put({ mode: 'Offline' });
    const before = Date.now();
    const sale = await api.transaction('physical-sale', { amount: 1_000 });
    expect(sale).toMatchObject({ status: 'Cancelled', resultCode: 1003 });
    expect(Date.now() - before).toBeGreaterThan(1_900);
    await put({});
  });

  it('takes no second transaction while one is on it: 1003', async () => {
    const together = await Promise.all([1, 2].map(() => api.operation('physical-sale', { amount: 920_001 })));
    expect(together.map(({ status }) => status).sort()).toEqual([200, 500]);
    const turnedAway = together.find(({ status }) => status === 200)?.text ?? '';
    expect(json(turnedAway)).toMatchObject({ status: 'Cancelled', resultCode: 1003 });
  });

  it.each([
    [{ mode: 'Sleepy' }, 'mode'],
    [{ mode: '' }, 'mode'],
    [{ mode: 1 }, 'mode'],
    [{ card: '4111111111111111' }, 'card'],
    [{ card: '4000000000006918' }, 'card'],
    [{ waiting: null }, 'waiting'],
  ])('refuses %j: 400, 2000', async (body, field) => {
    const reply = await put(body);
    expect(refusal(reply)).toBe(`400 2000 Rejected ${field}`);
    expect(reply.text).not.toMatch(/4111111111111111|4000000000006918/);
  });

  it('that does not exist: 404, 4002', async () => {
    for (const id of ['pmt_trm_x', api.method('Card form').id, `pmt_trm_${'0'.repeat(26)}`]) {
      expect(refusal(await api.get(path(id)))).toBe('404 4002 Rejected id');
      expect(refusal(await put({}, id))).toBe('404 4002 Rejected id');
    }
  });

  it('says of its wrong fields all at once, before it is looked for', async () => {
    const reply = await put({ mode: 'Sleepy', card: '4111111111111111' }, 'pmt_trm_x');
    expect(refusal(reply)).toBe('400 2000 Rejected mode card');
    expect(refusal(await put({ mode: 1, card: 'PAPER', x: 1 }, 'pmt_trm_x'))).toBe(
      '400 2000 Rejected x mode card',
    );
  });

  it('of a merchant that came later is found', async () => {
    const shop = await api.otherMerchant();
    expect((await api.get(path(shop.terminal))).status).toBe(200);
  });
});

describe('The service’s clock', () => {
  interface Reading {
    now: string;
    offsetSeconds: number;
  }
  const reading = async () => json((await api.get(clock)).text) as Reading;

  it('moves forward by a time, and says what ran', async () => {
    const before = await reading();
    const reply = await move({ advanceSeconds: 3_600 });
    expect(json(reply.text)).toMatchObject({ offsetSeconds: before.offsetSeconds + 3_600, pending: 0 });
    expect(Object.keys(json(reply.text) as object)).toEqual(['now', 'offsetSeconds', 'ran', 'pending']);
    const sale = await api.transaction('physical-sale', { amount: 1 });
    expect(Date.parse(sale.createdAt) - Date.now()).toBeGreaterThan(3_500_000);
  });

  it('moves to an instant ahead, without settling when asked so', async () => {
    const to = new Date(Date.parse((await reading()).now) + 60_000).toISOString();
    const moved = json((await move({ to, settle: false })).text) as Reading;
    expect(moved).toMatchObject({ ran: 0 });
    expect(Date.parse(moved.now)).toBeGreaterThanOrEqual(Date.parse(to));
  });

  it('does what falls due before it answers', async () => {
    const auth = await api.transaction('physical-auth', { amount: 1_000 });
    const moved = json((await move({ advanceSeconds: 7 * 86_400 })).text) as { ran: number };
    expect(moved.ran).toBeGreaterThanOrEqual(1);
    const { text } = await api.get(`/v1/transactions/${auth.id}/events`);
    expect(text).toContain('"AuthorizationExpired"');
    expect(text).toContain('"Reversed"');
  });

  it.each([
    [{}, 'advanceSeconds'],
    [{ advanceSeconds: 1, to: '2999-01-01T00:00:00Z' }, 'advanceSeconds'],
    [{ advanceSeconds: 0 }, 'advanceSeconds'],
    [{ advanceSeconds: 31_536_001 }, 'advanceSeconds'],
    [{ advanceSeconds: 1.5 }, 'advanceSeconds'],
    [{ advanceSeconds: '5' }, 'advanceSeconds'],
    [{ to: '2000-01-01T00:00:00.000Z' }, 'to'],
    [{ to: 'tomorrow' }, 'to'],
    [{ to: '2999-13-01T00:00:00Z' }, 'to'],
    [{ to: '2999-02-29T00:00:00Z' }, 'to'],
    [{ to: '2999-11-31T00:00:00.000Z' }, 'to'],
    [{ to: '2999-01-01T24:00:00Z' }, 'to'],
    [{ to: '2999-01-01T00:00:60Z' }, 'to'],
    [{ to: '2999-01-01T00:00:00+24:00' }, 'to'],
    [{ advanceSeconds: 1, settle: 'no' }, 'settle'],
  ])('refuses %j: 400, 2000', async (body, field) => {
    expect(refusal(await move(body))).toBe(`400 2000 Rejected ${field}`);
  });

  it('moves to a leap day, in any offset', async () => {
    const own = await startTestApi();
    const reply = await own.call('POST', clock, { body: { to: '2400-02-29T23:30:00-01:00' } });
    expect(json(reply.text)).toMatchObject({
      now: expect.stringMatching(/^2400-03-01T00:30:0/) as string,
    });
    await own.stop();
  });

  it('needs a body: 400, 2900', async () => {
    expect(refusal(await api.call('POST', clock))).toBe('400 2900 Rejected body');
  });
});
