import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { TestForm } from '../../hosted-form/form.testing.js';
import { noticeOf, pay, showsScreen, type ShownForm } from '../../testing/card.form.js';
import { MerchantSite } from '../../testing/merchant.site.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';

const CHALLENGED = '4000000000003220';

let api: TestApi;
let browser: WatchedBrowser;
let site: MerchantSite;
beforeAll(async () => {
  api = await startTestApi();
  browser = await WatchedBrowser.start();
  site = await MerchantSite.open();
  const { id } = api.running.facts.paymentMethods.find(({ type }) => type === 'Virtual') ?? {};
  const body = { allowedOrigins: [site.origin] };
  assert.equal((await api.call('PUT', `/admin/v1/payment-methods/${id}`, { body })).status, 200);
});
afterAll(async () => {
  await site.close();
  await browser?.stop();
  await api.stop();
});
afterEach(async () => assert.deepEqual(await browser.closePages(), []));

const open = (body: object = {}): Promise<TestForm> => {
  const formConfig = { billingInfoCaptureLevel: 'Minimal', enable3DSecure: true };
  return TestForm.open(api, 'virtual-sale', { formConfig, ...body });
};
const addressOf = ({ opened }: TestForm): string => `${opened.form?.url}?lang=en`;
const bankOf = (form: Page | FrameLocator): FrameLocator => form.frameLocator('dialog iframe');

async function answer(bank: ShownForm, code: string): Promise<void> {
  await bank.getByLabel('Verification code').fill(code);
  await bank.getByRole('button', { name: 'Confirm' }).click();
}

describe('A customer whose bank asks for a code', () => {
  it('pays after the right one, with the CVV that the form still has', async () => {
    const form = await open();
    const page = await browser.page();
    await page.goto(addressOf(form));
    await pay(page, { number: CHALLENGED });
    await answer(bankOf(page), '123456');
    await showsScreen(page, 'Payment complete');
    expect(await form.look()).toMatchObject({
      threeDs: { status: 'Authenticated' },
      transactionResponses: [{ responseCode: 1, cvvResult: 'M' }],
    });
  });

  it('can use another card after a wrong one', async () => {
    const form = await open();
    const page = await browser.page();
    await page.goto(addressOf(form));
    await pay(page, { number: CHALLENGED });
    await answer(bankOf(page), '000000');
    await noticeOf(page, 'could not verify that this is your card');
    await pay(page);
    await showsScreen(page, 'Payment complete');
    expect(await form.look()).toMatchObject({
      status: 'Completed',
      transactionResponses: [{ responseCode: 1 }, { responseCode: 17, amountApproved: 0 }],
    });
  });

  it('pays on a phone in a form that a merchant embeds: the page of the bank is a frame in a frame', async () => {
    const form = await open();
    const page = await browser.page({ viewport: { width: 430, height: 800 } });
    await page.goto(site.embedding(addressOf(form)));
    const embedded = page.frameLocator('iframe');
    await pay(embedded, { number: CHALLENGED });
    await answer(bankOf(embedded), '123456');
    await showsScreen(embedded, 'Payment complete');
    expect(await form.look()).toMatchObject({ threeDs: { status: 'Authenticated' } });
  });

  it('can follow the link of the challenge instead, and goes back to the merchant from there', async () => {
    const returnUrl = `${site.origin}/paid`;
    const form = await open({ returnUrl });
    const submission = { card: { number: CHALLENGED, expDate: '1234', cvv: '123' } };
    const billingContact = { countryCode: 'US', zipCode: '10001' };
    const { threeDsChallenge } = await form.submitted({ ...submission, billingContact });
    const page = await browser.page();
    await page.goto(threeDsChallenge?.redirectUrl ?? '');
    await answer(page, '123456');
    await page.getByRole('heading', { name: 'It worked' }).waitFor();
    await page.getByRole('link', { name: 'Back to the merchant' }).click();
    await page.waitForURL(`${returnUrl}?transactionId=${form.id}*`);
    expect(await form.look()).toMatchObject({ status: 'Completed', resultCode: 0 });
  });
});
