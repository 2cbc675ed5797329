import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { enterCard, noticeOf, pay, showsScreen, submitButton } from '../../testing/card.form.js';
import { eventually } from '../../testing/eventually.js';
import { MerchantSite, receivedBy } from '../../testing/merchant.site.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';
import { pass } from '../bank-forms/bank.testing.js';
import { TestForm } from '../form.testing.js';

const CHALLENGED = '4000000000003220';
const TEN_MINUTES_SECONDS = 600;

let api: TestApi;
let browser: WatchedBrowser;
let shop: MerchantSite;
let paymentMethodId: string;
beforeAll(async () => {
  api = await startTestApi();
  browser = await WatchedBrowser.start();
  shop = await MerchantSite.open();
  const body = { type: 'Virtual', currency: 'USD', allowedOrigins: [shop.origin] };
  const { text } = await api.call('POST', `/admin/v1/merchants/${api.running.facts.merchantId}/forms`, {
    body,
  });
  paymentMethodId = (JSON.parse(text) as { readonly id: string }).id;
});
afterAll(async () => {
  await browser?.stop();
  await shop?.close();
  await api.stop();
});
afterEach(async () => assert.deepEqual(await browser.closePages(), []));

interface Shown {
  readonly form: TestForm;
  readonly page: Page;
  /** In the iframe of the merchant's page. */
  readonly shown: FrameLocator;
}

async function opened(name = 'virtual-sale'): Promise<Shown> {
  const formConfig = { billingInfoCaptureLevel: 'Minimal', enable3DSecure: true };
  const form = await TestForm.open(api, name, { paymentMethodId, useJavaScriptCallback: true, formConfig });
  const page = await browser.page();
  await page.goto(shop.embedding(`${form.opened.form?.url}?lang=en`));
  return { form, page, shown: page.frameLocator('iframe') };
}
const bankIn = (shown: Pick<FrameLocator, 'frameLocator'>): FrameLocator =>
  shown.frameLocator('dialog iframe');
async function answerBank(shown: Pick<FrameLocator, 'frameLocator'>, code = '123456'): Promise<void> {
  await bankIn(shown).getByLabel('Verification code').fill(code);
  await bankIn(shown).getByRole('button', { name: 'Confirm' }).click();
}

const PAID = 'Payment complete';
const NOT_YOURS = 'could not verify that this is your card';

describe('A card in a form with 3-D Secure, in a page of the merchant', () => {
  it.each([
    ['4242424242424242', undefined, PAID, { status: 'Authenticated', eci: '05' }, [1]],
    ['5555555555554444', undefined, PAID, { status: 'Authenticated', eci: '02' }, [1]],
    [CHALLENGED, '123456', PAID, { status: 'Authenticated', eci: '05' }, [1]],
    [CHALLENGED, '000000', NOT_YOURS, { status: 'Failed', threeDReasonId: '01' }, [17]],
    ['4000000000003063', undefined, PAID, { status: 'Attempted', eci: '06' }, [1]],
    ['5200000000003076', undefined, PAID, { status: 'Attempted', eci: '01' }, [1]],
    ['4000008400001629', '123456', 'The bank declined the card', { status: 'Authenticated' }, [10]],
    ['4000008400001280', undefined, 'could not be reached to verify', { status: 'Unavailable' }, [50]],
    ['4000000000003055', undefined, 'cannot be verified online', { status: 'NotEnrolled' }, [16]],
    ['4000000000003089', undefined, PAID, { status: 'NotAuthenticated', eci: '07' }, [1]],
    ['5200000000003084', undefined, PAID, { status: 'NotAuthenticated', eci: '00' }, [1]],
  ])('%s (code %s) ends with: %s', async (number, code, end, threeDs, codes) => {
    const { form, shown } = await opened();
    await pay(shown, { number });
    if (code !== undefined) await answerBank(shown, code);
    if (end === PAID) await showsScreen(shown, PAID);
    else expect(await noticeOf(shown, end)).toContain('You can try 4 more times.');
    const { threeDs: result, transactionResponses, status } = await form.look();
    expect(result).toMatchObject(threeDs);
    expect(transactionResponses.map(({ responseCode }) => responseCode)).toEqual(codes);
    expect(status).toBe(end === PAID ? 'Completed' : 'Pending');
  });
});

describe('A challenge', () => {
  it('that failed is followed by another card, which is approved; the merchant hears of both', async () => {
    const { form, page, shown } = await opened();
    await pay(shown, { number: CHALLENGED });
    await answerBank(shown, '111111');
    await noticeOf(shown, NOT_YOURS);
    await pay(shown, { number: CHALLENGED });
    await answerBank(shown);
    await showsScreen(shown, PAID);
    const { transactionResponses } = await form.look();
    expect(transactionResponses.map(({ responseCode }) => responseCode)).toEqual([1, 17]);
    // The security code came from the page after the challenge.
    expect(transactionResponses[0]?.cvvResult).toBe('M');
    await eventually(async () => (await receivedBy(page)).some(({ type }) => type === 'completed'));
    const received = (await receivedBy(page)).filter(({ type }) => type !== 'resize');
    expect(received.map(({ type, code }) => [type, code])).toEqual([
      ['error', 6800],
      ['completed', undefined],
    ]);
  });

  it('goes on after the page was loaded again, which has no security code then', async () => {
    const { form, page, shown } = await opened();
    await pay(shown, { number: CHALLENGED });
    await bankIn(shown).getByLabel('Verification code').waitFor();
    await page.reload();
    const asked = page.waitForRequest('**/challenge');
    await answerBank(shown);
    expect((await asked).postDataJSON()).toEqual({});
    await showsScreen(shown, PAID);
    // This instance of the service still had the code.
    const { transactionResponses } = await form.look();
    expect(transactionResponses).toMatchObject([{ responseCode: 1, cvvResult: 'M' }]);
  });

  it('of a card that is stored ends with the token', async () => {
    const { form, shown } = await opened('token');
    await enterCard(shown, { number: CHALLENGED });
    await submitButton(shown).click();
    await answerBank(shown);
    await showsScreen(shown, 'Card saved');
    const { paymentMethod, threeDs } = await form.look();
    expect([paymentMethod.type, threeDs?.status]).toEqual(['Token', 'Authenticated']);
  });

  it('that the customer cancels at the bank is a failed attempt', async () => {
    const { shown } = await opened();
    await pay(shown, { number: CHALLENGED });
    await bankIn(shown).getByRole('button', { name: 'Cancel' }).click();
    expect(await noticeOf(shown, NOT_YOURS)).toContain('4 more times');
  });

  it('that the customer closes is a failed attempt after 10 minutes, and the form can be used again', async () => {
    const { form, page, shown } = await opened();
    await pay(shown, { number: CHALLENGED });
    await bankIn(shown).getByLabel('Verification code').waitFor();
    expect(await form.look()).toMatchObject({ status: 'Pending', resultCode: 4100 });
    await page.goto('about:blank');
    await pass(api, TEN_MINUTES_SECONDS + 1);
    expect(await form.look()).toMatchObject({ status: 'Pending', resultCode: 6800 });
    await page.goBack();
    await noticeOf(shown, NOT_YOURS);
    await pay(shown);
    await showsScreen(shown, PAID);
  });
});
