import type { SandboxCardChoice, SandboxTerminalPage, SandboxTerminalView } from '@tillstream/contracts';
import { refusal, startTestApi, type Call, type Reply, type TestApi } from '../../testing/test.api.js';
import { isOwnName } from './own.origin.js';

let api: TestApi;
let terminal: string;
beforeAll(async () => {
  api = await startTestApi({ TERMINAL_DEADLINE_MS: '20000', SEND_WITHIN_MS: '3000' });
  terminal = api.method('Front counter').id;
});
afterAll(() => api.stop());

/** As the page calls, without any key. */
const call = (method: string, path: string, more: Call = {}): Promise<Reply> =>
  api.call(method, path, { key: null, ...more });
const data = (path = '') => `/sandbox/data/terminals${path}`;
const view = async () => JSON.parse((await call('GET', data(`/${terminal}`))).text) as SandboxTerminalView;
const until = async (kind: SandboxTerminalView['screen']['kind']) => {
  for (;;) {
    const shown = await view();
    if (shown.screen.kind === kind) return shown;
    await new Promise((resume) => setTimeout(resume, 10));
  }
};

describe('The pages of the terminals', () => {
  it.each([
    ['/sandbox', 'text/html; charset=utf-8'],
    ['/sandbox/files/terminals.css', 'text/css; charset=utf-8'],
    ['/sandbox/files/terminal.js', 'text/javascript; charset=utf-8'],
    ['/sandbox/files/icon.svg', 'image/svg+xml'],
  ])('%s is served without a key as %s', async (path, type) => {
    const reply = await call('GET', path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('have no script or style of their own, and take nothing from elsewhere', async () => {
    for (const path of ['/sandbox', `/sandbox/terminals/${terminal}`]) {
      const { status, text } = await call('GET', path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/<script(?![^>]* src="\/sandbox\/files\/)|<style|style=|\son\w+=|https?:/);
    }
  });

  it('of an unknown terminal is a page that says so: 404', async () => {
    const reply = await call('GET', '/sandbox/terminals/pmt_trm_x');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(reply.text).toContain('There is no such terminal');
  });

  it('serve their own files and no others', async () => {
    for (const name of [
      'package.json',
      '..%2fpackage.json',
      'terminal.map',
      '%2e%2e%2f%2e%2e%2fpackage.json',
    ]) {
      expect((await call('GET', `/sandbox/files/${name}`)).status).toBe(404);
    }
  });
});

describe('What the pages ask', () => {
  it('is the terminals of all merchants, also those added since', async () => {
    const shop = await api.otherMerchant({ name: 'Corner shop' });
    const { terminals, next } = JSON.parse((await call('GET', data())).text) as SandboxTerminalPage;
    expect(next).toBeNull();
    expect(terminals).toEqual([
      {
        id: terminal,
        description: 'Front counter',
        merchant: 'Maple Street Books',
        currency: 'USD',
        mode: 'Auto',
        isWaiting: false,
      },
      expect.objectContaining({ description: 'Mobile', currency: 'CAD' }),
      { id: shop.terminal, merchant: 'Corner shop', currency: 'USD', mode: 'Auto', isWaiting: false },
    ]);
    const rest = JSON.parse((await call('GET', data(`?after=${terminal}`))).text) as SandboxTerminalPage;
    expect(rest.terminals.map(({ id }) => id)).toEqual(terminals.slice(1).map(({ id }) => id));
    expect(refusal(await call('GET', data('?page=2')))).toBe('400 2000 Rejected page');
  });

  it('is the cards that terminals take, and whether they ask for a PIN', async () => {
    const { cards } = JSON.parse((await call('GET', '/sandbox/data/cards')).text) as {
      cards: SandboxCardChoice[];
    };
    expect(cards[0]).toEqual({
      value: '4242424242424242',
      label: 'VISA ···· 4242',
      group: 'Approved',
      asksForPin: false,
    });
    expect(cards).toContainEqual({ value: 'GIFT', label: 'GIFT', group: 'By name', asksForPin: false });
    expect(cards.map(({ value }) => value)).not.toContain('4000000000006918');
  });

  it('is a terminal, from rest over card and PIN to the real result', async () => {
    expect(refusal(await call('GET', data('/pmt_trm_x')))).toBe('404 4002 Rejected id');
    const settings = { body: { mode: 'Manual', card: '4000056655665556' } };
    const set = JSON.parse((await call('PUT', data(`/${terminal}`), settings)).text) as SandboxTerminalView;
    expect(set).toMatchObject({ mode: 'Manual', card: '4000056655665556', screen: { kind: 'Idle' } });
    const sale = api.operation('physical-sale', { amount: 1_250 });
    const { screen } = await until('AwaitsCard');
    expect(screen).toMatchObject({ operation: 'Sale', amount: 1_250, currency: 'USD' });
    expect(screen.secondsLeft).toBeLessThanOrEqual(120);
    const act = (body: object) => call('POST', data(`/${terminal}/customer`), { body });
    const inserted = JSON.parse((await act({ action: 'Insert' })).text) as SandboxTerminalView;
    expect(inserted.screen.kind).toBe('AwaitsPin');
    const ended = JSON.parse((await act({ action: 'Pin', pin: '4321' })).text) as SandboxTerminalView;
    expect(ended.screen).toMatchObject({
      kind: 'Ended',
      amount: 1_250,
      result: {
        outcome: 'Declined',
        text: 'INCORRECT PIN',
        resultCode: 0,
        responseCode: 17,
        cardType: 'VISA',
        maskedCardNumber: '************5556',
        entryMode: 'Chip',
      },
    });
    const { id, transactionResponses } = JSON.parse((await sale).text) as {
      id: string;
      transactionResponses: { responseCode: number }[];
    };
    expect([ended.screen.transactionId, transactionResponses[0]?.responseCode]).toEqual([id, 17]);
    expect(refusal(await act({ action: 'Tap' }))).toBe('409 3400 Rejected');
    await call('PUT', data(`/${terminal}`), { body: {} });
  });

  it('shows how a terminal ended it by itself', async () => {
    await api.transaction('physical-sale', { amount: 913_005 });
    expect((await view()).screen.result).toMatchObject({
      outcome: 'Failed',
      resultCode: 3005,
      responseCode: 51,
    });
    await api.transaction('physical-sale', { amount: 900_010 });
    expect((await view()).screen.result).toMatchObject({
      outcome: 'PartlyApproved',
      amountApproved: 450_005,
    });
  });
});

describe('A call that comes from somewhere else', () => {
  const foreign: [string, Record<string, string>, string][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }, 'Sec-Fetch-Site'],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }, 'Sec-Fetch-Site'],
    ['another origin', { origin: 'https://evil.example' }, 'Origin'],
    ['a sandboxed frame', { origin: 'null' }, 'Origin'],
  ];
  it.each(foreign)('(%s) is refused, and nothing changes: 401, 1000', async (_where, headers, field) => {
    const body = { mode: 'LowBattery' };
    for (const [method, path] of [
      ['PUT', `/${terminal}`],
      ['POST', `/${terminal}/customer`],
      ['GET', `/${terminal}`],
    ] as const) {
      const more = { headers, ...(method !== 'GET' && { body }) };
      expect(refusal(await call(method, data(path), more))).toBe(`401 1000 Rejected ${field}`);
    }
    expect((await view()).mode).toBe('Auto');
  });

  it('is no JSON, as another site could send it without being asked: 2900', async () => {
    const headers = { 'content-type': 'text/plain' };
    const body = '{"mode":"LowBattery"}';
    expect(refusal(await call('PUT', data(`/${terminal}`), { headers, body }))).toBe(
      '400 2900 Rejected body',
    );
  });

  it('from the page itself is taken', async () => {
    const { origin } = api.running;
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    const reply = await call('PUT', data(`/${terminal}`), { headers, body: { mode: 'Auto' } });
    expect(reply.status).toBe(200);
  });

  it.each([
    ['localhost:3000', true],
    ['shop.localhost', true],
    ['127.0.0.1:3000', true],
    ['192.168.1.20', true],
    ['[::1]:3000', true],
    ['api:3000', true],
    ['sandbox.shop.example', true],
    ['rebound.evil.example:3000', false],
    ['127.0.0.1.evil.example', false],
    ['a b', false],
  ])('under the name %s is of this service: %s', (host, isOwn) => {
    expect(isOwnName(host, ['sandbox.shop.example'])).toBe(isOwn);
  });
});
