import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { MerchantSite } from '../../testing/merchant.site.js';
import { openChallenge } from '../../testing/sandbox.challenges.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';

let api: TestApi;
let browser: WatchedBrowser;
beforeAll(async () => {
  api = await startTestApi();
  browser = await WatchedBrowser.start();
});
afterAll(async () => {
  await browser?.stop();
  await api.stop();
});
afterEach(async () => {
  // Violations of the content security policy, and errors of scripts.
  assert.deepEqual(await browser.closePages(), []);
});

const addressOf = ({ path }: { readonly path: string }): string => api.running.origin + path;

/** The page of a challenge, by itself. */
async function opened(path: string, options: Parameters<WatchedBrowser['page']>[0] = {}): Promise<Page> {
  const page = await browser.page(options);
  await page.goto(api.running.origin + path);
  return page;
}

/** The page of a challenge in a frame of 400 × 500 in a page of the service, which keeps its messages. */
async function framed(path: string): Promise<{ readonly page: Page; readonly frame: Frame }> {
  const page = await browser.page();
  await page.goto(`${api.running.origin}/sandbox/shop`);
  await page.evaluate(`
    received = [];
    addEventListener('message', ({ data, origin }) => received.push({ ...data, origin }));
    const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(path)}, width: 400, height: 500 });
    frame.id = 'acs';
    document.body.append(frame);
  `);
  const frame = await (await page.waitForSelector('#acs')).contentFrame();
  if (!frame) throw new Error('no frame');
  await frame.waitForURL(`**${path}`);
  return { page, frame };
}

/** Answers the calls of the page as the service does with this state of the form. */
async function withProgress(page: Page, status: number, body: object): Promise<string[]> {
  const sent: string[] = [];
  await page.route('**/sandbox/acs/*', (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push(route.request().postData() ?? '');
    return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });
  });
  return sent;
}

describe('The page of a challenge in the frame of the form', () => {
  it('records the answer, and tells the form that it is done', async () => {
    const { path } = openChallenge(api);
    const { page, frame } = await framed(path);
    await frame.getByLabel('Verification code').fill('123456');
    await frame.getByRole('button', { name: 'Confirm' }).click();
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor();
    const done = { source: 'three-ds', type: 'done', origin: api.running.origin };
    expect(await page.evaluate('received')).toEqual([done]);
    const again = await framed(path);
    await again.frame.getByRole('heading', { name: 'This verification is over' }).waitFor();
    expect(await again.page.evaluate('received')).toEqual([done]);
  });

  it('fits without scrolling', async () => {
    const { frame } = await framed(openChallenge(api).path);
    await frame.getByRole('button', { name: 'Confirm' }).waitFor();
    const [width, height] = await frame.evaluate<number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
    );
    expect(width).toBeLessThanOrEqual(400);
    expect(height).toBeLessThanOrEqual(500);
  });

  it('goes on after a failure of the network, with the same answer', async () => {
    const { page, frame } = await framed(openChallenge(api).path);
    await page.route('**/sandbox/acs/*', (route) => route.abort(), { times: 1 });
    await frame.getByLabel('Verification code').fill('000000');
    await frame.getByRole('button', { name: 'Confirm' }).click();
    await frame.getByRole('alert').filter({ hasText: 'The bank did not answer' }).waitFor();
    await frame.getByRole('button', { name: 'Cancel' }).click();
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await page.evaluate('received')).toHaveLength(1);
  });
});

describe('The page of a challenge by itself', () => {
  const pending = { status: 'Pending', triesLeft: 4, transactionId: 'trx_1', resultText: '' };

  it.each([
    ['Approved', 200, { status: 'Completed', resultCode: 0, responseCode: 1 }, 'It worked'],
    ['Refused', 200, { ...pending, resultCode: 6800, responseCode: 17 }, 'Your identity was not confirmed'],
    ['Declined', 200, { ...pending, resultCode: 6900, responseCode: 10 }, /request was declined/],
    ['Unknown', 500, { status: 'Interrupted', code: 3000 }, 'The outcome is not known yet'],
    ['Over', 400, { status: 'Rejected', code: 3205 }, 'This verification is over'],
  ])('shows the ending %s', async (_view, status, body, heading) => {
    const page = await opened(openChallenge(api).path);
    const sent = await withProgress(page, status, body);
    await page.getByLabel('Verification code').fill(' 123456 ');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(sent).toEqual(['{"code":"123456"}']);
    expect(await page.getByRole('link').count()).toBe(0);
  });

  it('links to the merchant if the form is over', async () => {
    const page = await opened(openChallenge(api).path);
    const redirectUrl = 'https://shop.example/paid?transactionId=trx_1';
    await withProgress(page, 200, { status: 'Completed', resultCode: 0, responseCode: 1, redirectUrl });
    await page.getByLabel('Verification code').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
    const link = page.getByRole('link', { name: 'Back to the merchant' });
    expect(await link.getAttribute('href')).toBe(redirectUrl);
  });

  it('is the same in a frame of a merchant, whose page gets no message', async () => {
    const site = await MerchantSite.open();
    const page = await browser.page();
    const sent = await withProgress(page, 200, { status: 'Completed', resultCode: 0, responseCode: 1 });
    await page.goto(site.embedding(addressOf(openChallenge(api))));
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Verification code').fill('123456');
    await frame.getByRole('button', { name: 'Confirm' }).click();
    await frame.getByRole('heading', { name: 'It worked' }).waitFor();
    expect(sent).toEqual(['{"code":"123456"}']);
    expect(await page.evaluate('received')).toEqual([]);
    await page.context().close();
    await site.close();
  });

  it('in French on a phone asks for a code, and sends nothing without one', async () => {
    const page = await opened(openChallenge(api).path, {
      viewport: { width: 390, height: 700 },
      locale: 'fr-CA',
    });
    const sent = await withProgress(page, 200, {});
    expect(await page.evaluate('document.activeElement.id')).toBe('code');
    await page.getByRole('button', { name: 'Confirmer' }).click();
    await page.getByRole('alert').filter({ hasText: 'Entrez le code.' }).waitFor();
    expect(await page.getByLabel('Code de vérification').getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
