import { openChallenge } from '../../testing/sandbox.challenges.js';
import { refusal, startTestApi, type Call, type Reply, type TestApi } from '../../testing/test.api.js';
import { TEXTS } from './challenge.texts.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** As a cardholder's browser, without any key. */
const call = (method: string, path: string, more: Call = {}): Promise<Reply> =>
  api.call(method, path, { key: null, ...more });
const page = (path: string, language?: string): Promise<Reply> =>
  call('GET', path, { headers: language === undefined ? {} : { 'accept-language': language } });
const answer = (path: string, body: unknown): Promise<Reply> => call('POST', path, { body });

describe('The page of a challenge', () => {
  it('shows merchant, amount and the last digits of the card, and that the bank is simulated', async () => {
    const reply = await page(openChallenge(api, { merchantName: `Fish & <b>Chips</b> "Bar"` }).path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.text).toContain('Fish &amp; &lt;b&gt;Chips&lt;/b&gt; &quot;Bar&quot;');
    expect(reply.text).toContain('$12.50 USD');
    expect(reply.text).toMatch(/ending in<\/span>\s+3220/);
    expect(reply.text).toContain('This bank is simulated: 123456 is correct');
    expect(reply.text).toContain('data-view="Open"');
    expect(reply.text).not.toMatch(/\{\{|trx_|40000000/);
  });

  it.each([
    ['en-US,en;q=0.9', '', 'en'],
    ['fr-CA,fr;q=0.9,en;q=0.8', '', 'fr'],
    ['fr', '', 'fr'],
    ['de', '', 'en'],
    ['de,fr;q=0.5', '', 'fr'],
    ['fr', '?lang=en', 'en'],
    ['en', '?lang=fr', 'fr'],
  ] as const)('for a browser that asks for %s%s is in %s', async (header, query, language) => {
    const reply = await page(openChallenge(api).path + query, header);
    expect(reply.text).toContain(`<html lang="${language}">`);
    expect(reply.text).toContain(TEXTS[language].lead);
    expect(reply.headers.get('vary')).toContain('accept-language');
  });

  it('formats the amount as its language does', async () => {
    const { path } = openChallenge(api, { amount: 123_456, currency: 'CAD' });
    expect((await page(path, 'fr')).text).toMatch(/1\s234,56\s\$ CAD/);
    expect((await page(path, 'en')).text).toContain('$1,234.56 CAD');
  });

  it('of a card that is only stored shows no amount', async () => {
    const { text } = await page(openChallenge(api, { amount: 0 }).path);
    expect(text).toContain('Save this card');
    expect(text).not.toContain('$');
  });

  it('may be framed by every page, and runs nothing but its own files', async () => {
    const { headers, text } = await page(openChallenge(api).path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toMatch(/frame-ancestors \*$/);
    expect(headers.has('x-frame-options')).toBe(false);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    expect(text).not.toMatch(/<script(?![^>]* src="\/sandbox\/acs\/files\/)|<style|style=|\son\w+=|https?:/);
  });

  it('that is unknown is a page with status 404', async () => {
    for (const path of ['/sandbox/acs/unknown', `/sandbox/acs/${'x'.repeat(200)}`, '/sandbox/acs/a%20b']) {
      const reply = await page(path);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(reply.text).toContain('This verification does not exist');
    }
  });

  it.each([
    ['acs.css', 200],
    ['acs.js', 200],
    ['icon.svg', 200],
    ['..%2fshop%2fshop.html', 404],
    ['package.json', 404],
  ])('serves %s with status %i', async (name, status) => {
    expect((await call('GET', `/sandbox/acs/files/${name}`)).status).toBe(status);
  });
});

describe('An answer to a challenge', () => {
  it('that leaves the attempt to the form is recorded, and a second one changes nothing', async () => {
    const { path } = openChallenge(api);
    for (const code of ['000000', '123456']) {
      const reply = await answer(path, { code, complete: false });
      expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { done: true }]);
    }
    expect((await page(path)).text).toContain('data-view="Over"');
  });

  it('to an unknown challenge is 404, 4000', async () => {
    for (const path of ['/sandbox/acs/unknown', `/sandbox/acs/${'x'.repeat(200)}`, '/sandbox/acs/a%20b']) {
      for (const body of [{ code: '123456' }, { code: '123456', complete: false }]) {
        expect(refusal(await answer(path, body))).toBe('404 4000 Rejected');
      }
    }
  });

  it.each([
    [{}, '400 2000 Rejected code'],
    [{ code: '' }, '400 2000 Rejected code'],
    [{ code: 123_456 }, '400 2000 Rejected code'],
    [{ code: '1'.repeat(21) }, '400 2000 Rejected code'],
    [{ code: '123456', complete: 'no' }, '400 2000 Rejected complete'],
    [{ code: '123456', cvv: '123' }, '400 2000 Rejected cvv'],
    ['code=123456', '400 2900 Rejected body'],
  ])('%j is refused, and nothing is recorded', async (body, refused) => {
    const { path } = openChallenge(api);
    const reply = await answer(path, body);
    expect(refusal(reply)).toBe(refused);
    expect(reply.text).not.toContain('123456');
    expect((await page(path)).text).toContain('data-view="Open"');
  });
});
