import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@tillstream/platform';
import type { Page, Request } from 'playwright-core';
import { noticeOf, pay, showsScreen, type EnteredCard } from '../../testing/card.form.js';
import { MerchantSite, receivedBy } from '../../testing/merchant.site.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';
import { TestForm } from '../form.testing.js';

const APPROVED = '378282246310005';
const DECLINED = '4000000000009995';
/** Of four digits, so that it is nowhere by chance between quotes. */
const CVV = '9173';

let api: TestApi;
let browser: WatchedBrowser;
let shop: MerchantSite;
const logged: string[] = [];
/** Of all pages of this file. */
const requests: Request[] = [];
const printed: string[] = [];
const responses: Promise<string>[] = [];
beforeAll(async () => {
  const log = createLog('trace', { write: (line: string) => void logged.push(line) });
  api = await startTestApi({}, log);
  browser = await WatchedBrowser.start();
  shop = await MerchantSite.open();
});
afterAll(async () => {
  await browser?.stop();
  await shop?.close();
  await api.stop();
});
afterEach(async () => assert.deepEqual(await browser.closePages(), []));

async function opened(name: string): Promise<{ form: TestForm; page: Page }> {
  const returnUrl = `${shop.origin}/back`;
  const form = await TestForm.open(api, name, {
    formConfig: { billingInfoCaptureLevel: 'Minimal' },
    ...(name === 'token' ? { accountHolder: { externalId: 'ann' } } : { returnUrl }),
  });
  const page = await browser.page();
  page.on('request', (request) => requests.push(request));
  page.on('console', (message) => printed.push(message.text()));
  page.on('response', (response) => responses.push(response.text().catch(() => '')));
  await page.goto(`${form.opened.form?.url}?lang=en`);
  return { form, page };
}

/** Everything that a browser keeps of a page. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate<string>(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, await indexedDB.databases(), await caches.keys(), document.cookie,
    history.state, location.href, document.title, name, performance.getEntries().map((one) => one.name)]))()`);

function expectNoCard(text: string): void {
  expect(text).not.toMatch(/3782.?822463.?10005|4000.?0000.?0000.?9995/);
  expect(text).not.toContain(`"${CVV}"`);
}

async function used(name: string, heading: string): Promise<TestForm> {
  const { form, page } = await opened(name);
  const card: EnteredCard = { number: APPROVED, cvv: CVV };
  await pay(page, { number: DECLINED });
  await noticeOf(page, '4 more times');
  expectNoCard(await keptBy(page));
  await pay(page, card);
  await showsScreen(page, heading);
  const kept = await keptBy(page);
  expectNoCard(kept);
  expect(JSON.parse(kept)).toEqual(expect.arrayContaining([{}, {}, [], [], '', null, page.url()]));
  expect(await page.context().cookies()).toEqual([]);
  expectNoCard(JSON.stringify(await page.context().storageState({ indexedDB: true })));
  expectNoCard(await page.locator('html').evaluate((html) => html.outerHTML));
  if (name !== 'token') {
    await page.waitForURL(`${shop.origin}/back?**`);
    expectNoCard(page.url());
    expect(await receivedBy(page)).toEqual([]);
  }
  return form;
}

describe('The digits of a card', () => {
  it.each([
    ['virtual-sale', 'Payment complete'],
    ['virtual-auth', 'Payment authorized'],
    ['token', 'Card saved'],
  ])('leave the page of a %s in the body of its submission only', async (name, heading) => {
    requests.length = 0;
    const form = await used(name, heading);
    const bodies = requests.flatMap((request) => request.postData() ?? []);
    expect(bodies.map((body) => (JSON.parse(body) as { card: { number: string } }).card.number)).toEqual([
      DECLINED,
      APPROVED,
    ]);
    for (const request of requests) {
      expectNoCard(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())}`);
      const isSubmission = request.url() === `${api.running.origin}/pay/${form.sessionId}/submit`;
      expect(request.postData() !== null).toBe(isSubmission);
    }
    for (const text of [...printed, ...(await Promise.all(responses))]) expectNoCard(text);
  });

  it('are in no file and no log of the service, nor in what merchants read', async () => {
    const form = await used('virtual-sale', 'Payment complete');
    for (const path of [`/v1/transactions/${form.id}`, `/v1/transactions/${form.id}/events`])
      expectNoCard((await api.get(path)).text);
    expect(await form.look()).toMatchObject({
      transactionResponses: [
        { paymentMethod: { maskedCardNumber: '***********0005' } },
        { paymentMethod: { maskedCardNumber: '************9995' } },
      ],
    });
    await api.list('/v1/transactions');
    expect(logged.length).toBeGreaterThan(0);
    expectNoCard(logged.join(''));
    const files = readdirSync(api.dataDir, { recursive: true, withFileTypes: true });
    const read = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(read.length).toBeGreaterThan(3);
    for (const file of read) expectNoCard(readFileSync(file, 'latin1'));
  });
});

describe('A stolen session id', () => {
  it.each(['virtual-sale', 'token'])('of a finished %s reads no card and no name', async (name) => {
    const form = await used(name, name === 'token' ? 'Card saved' : 'Payment complete');
    const session = JSON.stringify(await form.session());
    expectNoCard(session);
    expect(session).not.toMatch(/\*{4}|0005|9995|cardType|authCode|billingContact|zipCode|10001|12\/?34/);
  });

  it('can not repeat a submission: with its key, without it, or with another one', async () => {
    const { form, page } = await opened('virtual-sale');
    const submitted = page.waitForRequest('**/submit');
    await pay(page, { number: APPROVED, cvv: CVV });
    const request = await submitted;
    await showsScreen(page, 'Payment complete');
    const before = await form.look();
    const body = request.postData();
    const { 'idempotency-key': key = '' } = request.headers();
    const repeated = await form.submit(body, { headers: { 'idempotency-key': key } });
    expect([repeated.status, JSON.parse(repeated.text)]).toMatchObject([200, { transactionId: form.id }]);
    expectNoCard(repeated.text);
    for (const headers of [{}, { 'idempotency-key': 'another' }]) {
      const { status, text } = await form.submit(body, { headers });
      expect([status, JSON.parse(text)]).toMatchObject([400, { code: 3201 }]);
      expectNoCard(text);
    }
    expect(await form.look()).toEqual(before);
  });

  it('is in no address that the browser keeps or sends on', async () => {
    const { form, page } = await opened('virtual-sale');
    await pay(page, { number: APPROVED, cvv: CVV });
    await page.waitForURL(`${shop.origin}/back?**`);
    expect(await page.evaluate('document.referrer')).not.toContain(form.sessionId);
    expect(page.url()).not.toContain(form.sessionId);
    expect(shop.visits.join()).not.toContain(form.sessionId);
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain(form.sessionId);
  });
});
