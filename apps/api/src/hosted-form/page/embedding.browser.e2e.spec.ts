import assert from 'node:assert/strict';
import type { TransactionResult } from '@tillstream/contracts';
import type { FrameLocator, Page } from 'playwright-core';
import { noticeOf, pay, showsScreen } from '../../testing/card.form.js';
import { eventually } from '../../testing/eventually.js';
import { MerchantSite, receivedBy } from '../../testing/merchant.site.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';
import { TestForm } from '../form.testing.js';

const DECLINED = '4000000000000002';
const SILENCE_MS = 300;
const MINIMAL = { formConfig: { billingInfoCaptureLevel: 'Minimal' } };

let api: TestApi;
let browser: WatchedBrowser;
/** Registered, registered, and not registered. */
let shop: MerchantSite;
let portal: MerchantSite;
let stranger: MerchantSite;
/** The method whose forms both registered sites may embed. */
let paymentMethodId: string;
beforeAll(async () => {
  api = await startTestApi();
  browser = await WatchedBrowser.start();
  [shop, portal, stranger] = await Promise.all([
    MerchantSite.open(),
    MerchantSite.open('localhost'),
    MerchantSite.open(),
  ]);
  const body = { type: 'Virtual', currency: 'USD', allowedOrigins: [shop.origin, portal.origin] };
  const path = `/admin/v1/merchants/${api.running.facts.merchantId}/forms`;
  const { text } = await api.call('POST', path, { body });
  paymentMethodId = (JSON.parse(text) as { readonly id: string }).id;
});
afterAll(async () => {
  await browser?.stop();
  await Promise.all([shop, portal, stranger].map((site) => site?.close()));
  await api.stop();
});
let troublesExpected: RegExp | undefined;
afterEach(async () => {
  const troubles = await browser.closePages();
  assert.deepEqual(
    troubles.filter((one) => !troublesExpected?.test(one)),
    [],
  );
  troublesExpected = undefined;
});

async function opened(name = 'virtual-sale', body: object = {}): Promise<TransactionResult> {
  const given = { paymentMethodId, useJavaScriptCallback: true, ...MINIMAL, ...body };
  return (await TestForm.open(api, name, given)).opened;
}
const addressOf = ({ form }: TransactionResult): string => `${form?.url}?lang=en`;
const only = (page: Page): FrameLocator => page.frameLocator('iframe');

async function embedded(by: MerchantSite, opening: TransactionResult): Promise<Page> {
  const page = await browser.page();
  await page.goto(by.embedding(addressOf(opening)));
  return page;
}
const endings = async (page: Pick<Page, 'evaluate'>) =>
  (await receivedBy(page)).filter(({ type }) => type !== 'resize');
/** A message arrives some time after the screen changed. */
async function untilEnded(page: Pick<Page, 'evaluate'>): ReturnType<typeof endings> {
  await eventually(async () => (await endings(page)).length > 0);
  return endings(page);
}

describe('The page of a registered origin', () => {
  it.each([
    ['virtual-sale', 'Payment complete'],
    ['virtual-auth', 'Payment authorized'],
  ])('gets the result of a %s from the origin of the form, and heights before', async (name, heading) => {
    const opening = await opened(name);
    const page = await embedded(shop, opening);
    await pay(only(page));
    await showsScreen(only(page), heading);
    expect(await untilEnded(page)).toEqual([
      {
        source: 'payment-form',
        type: 'completed',
        transactionId: opening.id,
        referenceId: opening.referenceId,
        status: 'Completed',
        resultCode: 0,
        responseCode: 1,
        origin: api.running.origin,
      },
    ]);
    const [first] = await receivedBy(page);
    expect(first).toEqual({
      source: 'payment-form',
      type: 'resize',
      height: expect.any(Number),
      origin: api.running.origin,
    });
    expect((await api.look(opening.id)).status).toBe('Completed');
  });

  it('learns that the customer cancelled', async () => {
    const page = await embedded(shop, await opened());
    await only(page).getByRole('button', { name: 'Cancel' }).click();
    await showsScreen(only(page), 'Cancelled');
    expect(await untilEnded(page)).toMatchObject([
      { type: 'cancelled', status: 'Cancelled', resultCode: 55 },
    ]);
  });

  it('learns of a failed attempt, and when the form is over, which then ends with that attempt', async () => {
    const page = await embedded(shop, await opened());
    await pay(only(page), { number: DECLINED });
    await noticeOf(only(page), '4 more times');
    await eventually(async () => (await endings(page)).length > 0);
    expect(await endings(page)).toMatchObject([{ type: 'error', code: 6900 }]);
    await only(page).getByRole('button', { name: 'Cancel' }).click();
    await showsScreen(only(page), 'Not accepted');
    await eventually(async () => (await endings(page)).length > 1);
    expect((await endings(page))[1]).toMatchObject({
      ...{ type: 'failed', status: 'Completed', resultCode: 6900, responseCode: 10 },
      paymentMethodType: 'Virtual',
    });
  });

  it('gets messages only if the request asked for them', async () => {
    const page = await embedded(shop, await opened('virtual-sale', { useJavaScriptCallback: false }));
    await pay(only(page));
    await showsScreen(only(page), 'Payment complete');
    await page.waitForTimeout(SILENCE_MS);
    expect(await receivedBy(page)).toEqual([]);
  });

  it('gets them as the parent only: the window around it is registered too, and gets none', async () => {
    const page = await browser.page();
    await page.goto(portal.embedding(shop.embedding(addressOf(await opened()))));
    const form = only(page).frameLocator('iframe');
    await pay(form);
    await showsScreen(form, 'Payment complete');
    const inner = page.frames().find((one) => one.url().startsWith(shop.origin));
    expect((await untilEnded(inner ?? page)).map(({ type }) => type)).toEqual(['completed']);
    expect(await receivedBy(page)).toEqual([]);
  });
});

describe('The page of an origin that is not registered', () => {
  it('can not embed the form: its frame stays empty, and it gets no message', async () => {
    const opening = await opened();
    troublesExpected = /frame-ancestors/;
    const page = await browser.page();
    const answer = page.waitForResponse(addressOf(opening));
    await page.goto(stranger.embedding(addressOf(opening)));
    expect(await (await answer).headerValue('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        `frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${shop.origin} ${portal.origin}`,
    );
    await eventually(() => Promise.resolve(page.frames()[1]?.url() === 'chrome-error://chromewebdata/'));
    expect(await page.frames()[1]?.locator('input, form, #page').count()).toBe(0);
    expect(await receivedBy(page)).toEqual([]);
  });

  it('can not embed a page that embeds the form', async () => {
    troublesExpected = /frame-ancestors/;
    const page = await browser.page();
    await page.goto(stranger.embedding(shop.embedding(addressOf(await opened()))));
    await eventually(() => Promise.resolve(page.frames()[2]?.url() === 'chrome-error://chromewebdata/'));
    expect(await receivedBy(page)).toEqual([]);
  });

  it('gets no message of a form that it opens in a window', async () => {
    const page = await browser.page();
    await page.goto(stranger.origin);
    const [form] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void open(${JSON.stringify(addressOf(await opened()))})`),
    ]);
    await pay(form);
    await showsScreen(form, 'Payment complete');
    expect(await form.evaluate('window.opener')).toBeNull();
    await page.waitForTimeout(SILENCE_MS);
    expect(await receivedBy(page)).toEqual([]);
  });
});

describe('The return address', () => {
  it('gets the result in its query beside its own parameters, in the frame of the form', async () => {
    const returnUrl = `${shop.origin}/back?order=A+1&status=mine#paid`;
    const opening = await opened('virtual-sale', { returnUrl });
    const page = await embedded(shop, opening);
    await pay(only(page));
    const arrived = await eventuallyVisit(shop);
    expect(Object.fromEntries(arrived.searchParams)).toMatchObject({
      order: 'A 1',
      transactionId: opening.id,
      referenceId: opening.referenceId,
      resultCode: '0',
      responseCode: '1',
    });
    expect(arrived.searchParams.getAll('status')).toContain('Completed');
    expect(new URL(page.url()).pathname).toBe('/');
    await eventually(() => Promise.resolve(page.frames()[1]?.url() === `${arrived.href}#paid`));
    expect((await endings(page)).map(({ type }) => type)).toEqual(['completed']);
  });

  it('is reached in the window itself after a redirect, and says that the customer cancelled', async () => {
    const page = await browser.page();
    await page.goto(addressOf(await opened('virtual-sale', { returnUrl: `${shop.origin}/gone` })));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${shop.origin}/gone?**`);
    expect(new URL(page.url()).searchParams.get('status')).toBe('Cancelled');
    // Neither the address of the form, which is a credential, nor a card was sent along.
    expect(await page.evaluate('document.referrer')).not.toContain('/pay/');
  });

  async function eventuallyVisit(site: MerchantSite): Promise<URL> {
    await eventually(() => Promise.resolve(site.visits.length > 0));
    return new URL(site.visits.splice(0)[0] ?? '/', site.origin);
  }
});
