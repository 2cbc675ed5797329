import { NetworkFixture, sale, SECRET, TERMINAL } from './network.fixture.js';
import { attemptCall, newKey } from '@tillstream/processors/testing';

const fixture = new NetworkFixture();
beforeAll(() => fixture.start());
afterAll(() => fixture.end());

const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(fixture.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, ...headers },
    body,
  });
  return `${response.status} ${await response.text()}`;
};
const request = {
  operation: 'Sale',
  key: 'trx_1.1',
  merchantId: 'mer_1',
  channel: 'CardNotPresent',
  amount: 100,
  currency: 'USD',
};

describe('The sandbox service', () => {
  it('is live and ready without the secret, and needs it for all other paths', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect(await fixture.get(path, 'nothing')).toMatchObject({ status: 200 });
    }
    for (const secret of ['nothing', '', `${SECRET}x`, SECRET.slice(0, -1), SECRET.toUpperCase()]) {
      expect((await fixture.get('/v1/ledger/movements', secret)).status).toBe(401);
    }
    expect((await fixture.get('/v1/ledger/movements')).status).toBe(200);
  });

  it.each([
    ['no JSON', '{', 'no JSON'],
    ['a list', '[]', 'the body'],
    ['nothing', '{}', 'request'],
    ['an amount that is none', JSON.stringify({ request: { ...request, amount: 1.5 } }), 'request.amount'],
    ['an unknown field', JSON.stringify({ request: { ...request, x: 1 } }), 'request.a field that'],
    [
      'another operation',
      JSON.stringify({ request: { ...request, operation: 'Steal' } }),
      'request.operation',
    ],
    ['a card that is none', JSON.stringify({ request: { ...request, card: { number: 1 } } }), 'request.card'],
    [
      'a follow-up of nothing',
      JSON.stringify({ request: { ...request, operation: 'Void' } }),
      'request.oper',
    ],
  ])('refuses %s, names the field, and executes nothing', async (_, body, named) => {
    const reply = await post('/v1/execute', body);
    expect(reply).toMatch(/^400 .*"refused":"/);
    expect(reply).toContain(named);
    expect(fixture.openLedger().ledger.requestOf(request.key)).toBeUndefined();
  });

  it.each([
    ['in the request', JSON.stringify({ request }).replace('"amount":100', '"amount":100,"amount":1')],
    [
      'written in two ways',
      JSON.stringify({ request }).replace('"amount":100', '"amount":1,"\\u0061mount":1'),
    ],
    ['at the top', `{"request":{"4242424242424242":1},"request":${JSON.stringify(request)}}`],
  ])('refuses a name that is twice in one object, %s, and executes nothing', async (_, body) => {
    const reply = await post('/v1/execute', body);
    expect(reply).toMatch(/^400 .*"refused":"not as it should be: a name that is twice in one object"/);
    expect(reply).not.toContain('4242');
    expect(fixture.openLedger().ledger.requestOf(request.key)).toBeUndefined();
  });

  it('refuses a body that is too large, and an unknown path', async () => {
    expect(await post('/v1/execute', JSON.stringify({ request: 'x'.repeat(20_000) }))).toMatch(/^413 /);
    expect(await post('/v1/steal', '{}')).toMatch(/^404 /);
  });

  it('stores the largest offset of the service’s clock, also over a restart', async () => {
    const controls = fixture.controls();
    for (const offsetMs of [60_000, 90_000, 30_000]) {
      fixture.offsetMs = offsetMs;
      expect(await controls.state()).toEqual({ kind: 'Good', processorDeadlineMs: 10_000 });
    }
    expect(fixture.openLedger().clock.offsetMs()).toBe(90_000);
    const { port } = fixture;
    await fixture.stop();
    expect(await controls.state()).toMatchObject({ kind: 'Unreachable' });
    await fixture.start(port);
    expect(await controls.state()).toMatchObject({ kind: 'Good' });
    expect(fixture.openLedger().clock.offsetMs()).toBe(90_000);
  });

  it('distinguishes a wrong secret from another program', async () => {
    const wrong = fixture.controls({ secret: 'another-secret-of-tests' });
    expect(await wrong.state()).toEqual({ kind: 'WrongSecret' });
    const proxy = await fixture.faultyProxy('BadGateway');
    expect(await fixture.controls({ url: proxy.url }).state()).toEqual({ kind: 'NoSandbox' });
    await proxy.close();
  });

  it('refuses terminal settings like the sandbox in process', async () => {
    const { terminals } = fixture.controls();
    const set = (mode: string, card: string | null) => terminals.set(TERMINAL, { mode, card });
    await expect(set('Sleepy', null)).rejects.toMatchObject({ name: 'SandboxRefusal', code: 'UnknownMode' });
    await expect(set('Auto', '4111111111111111')).rejects.toMatchObject({ code: 'UnknownCard' });
    expect(await set('Auto', '5555555555554444')).toMatchObject({ card: '5555555555554444' });
  });

  it('lists its ledger, one entry a line, and then their count', async () => {
    const processor = fixture.processor();
    const keys = Array.from({ length: 3 }, newKey);
    for (const key of keys) await processor.sale(sale(100), attemptCall(key));
    for (const book of ['movements', 'nets']) {
      const lines = (await fixture.get(`/v1/ledger/${book}`)).text.trim().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ count: lines.length - 1 });
      for (const key of keys) expect(lines.join('\n')).toContain(key);
    }
    expect((await fixture.get('/v1/ledger/secrets')).status).toBe(404);
    const { text } = await fixture.get(`/v1/ledger/keys/${keys[0]}`);
    expect(JSON.parse(text)).toMatchObject({ movement: { amount: 100 }, request: { operation: 'Sale' } });
  });
});
