import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { showsScreen } from '../../testing/card.form.js';
import { eventually } from '../../testing/eventually.js';
import { MerchantSite, receivedBy } from '../../testing/merchant.site.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';
import {
  ACCOUNT,
  ACH,
  ANSWER,
  EFT,
  historyOf,
  pass,
  RETURN,
  timesOf,
  type BankKind,
} from './bank.testing.js';
import { TestForm } from '../form.testing.js';

let api: TestApi;
let browser: WatchedBrowser;
let shop: MerchantSite;
beforeAll(async () => {
  api = await startTestApi();
  browser = await WatchedBrowser.start();
  shop = await MerchantSite.open();
});
afterAll(async () => {
  await browser?.stop();
  await shop?.close();
  await api.stop();
});
afterEach(async () => assert.deepEqual(await browser.closePages(), []));

/** The page of the shop may embed this kind of form. */
async function formOf({ name, currency }: BankKind): Promise<string> {
  const type = name === 'ACH' ? 'VirtualAch' : 'VirtualEft';
  const body = { type, currency, allowedOrigins: [shop.origin] };
  const { text } = await api.call('POST', `/admin/v1/merchants/${api.running.facts.merchantId}/forms`, {
    body,
  });
  return (JSON.parse(text) as { readonly id: string }).id;
}

async function enterAccount(form: FrameLocator, { name }: BankKind, accountNumber: string): Promise<void> {
  const numbers =
    name === 'ACH'
      ? { 'Routing number': '110000000' }
      : { 'Institution number': '000', 'Transit number': '11000' };
  const fields = {
    ...numbers,
    'Account number': accountNumber,
    'Account holder’s name': 'Ann Maple',
    Address: '12 Main Street',
    City: 'Cambridge',
  };
  for (const [label, text] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(text);
  if (name === 'ACH') await form.getByLabel('Account type').selectOption('Checking');
  await form.locator('#field-state').selectOption({ index: 1 });
  await form.locator('#field-zipCode').fill(name === 'ACH' ? '02139' : 'K1A 0B1');
}

const ENDS = {
  approved: [1, undefined],
  declined: [10, undefined],
  withoutFunds: [11, undefined],
  returned: [1, 'BankReturned'],
  changed: [1, 'NoticeOfChangeReceived'],
} as const;

describe.each([ACH, EFT])('A payment in a form of the kind $name, in a page of the merchant', (kind) => {
  it('is sent to the bank, which answers each test account in its way', async () => {
    const paymentMethodId = await formOf(kind);
    const ids = new Map<keyof typeof ENDS, string>();
    const page = await browser.page();
    const shown = page.frameLocator('iframe');
    for (const [account, number] of Object.entries(ACCOUNT) as [keyof typeof ENDS, string][]) {
      const form = await TestForm.open(api, 'virtual-sale', { paymentMethodId, useJavaScriptCallback: true });
      await page.goto(shop.embedding(`${form.opened.form?.url}?lang=en`));
      await enterAccount(shown, kind, number);
      await shown.getByRole('button', { name: 'Authorize and pay $12.50' }).click();
      await showsScreen(shown, 'Payment sent to your bank');
      ids.set(account, form.id);
      expect(await form.look()).toMatchObject({ status: 'Processing', resultCode: 0 });
    }
    await eventually(async () => (await receivedBy(page)).some(({ type }) => type === 'completed'));
    const received = (await receivedBy(page)).filter(({ type }) => type !== 'resize');
    expect(received).toMatchObject([
      { type: 'completed', status: 'Processing', resultCode: 0, responseCode: 57 },
    ]);

    await pass(api, ANSWER);
    await pass(api, RETURN);
    for (const [account, id] of ids) {
      const [responseCode, later] = ENDS[account];
      expect(await api.look(id)).toMatchObject({
        status: 'Completed',
        transactionResponses: [{ responseCode }],
      });
      if (later) expect((await timesOf(api, id, later))[later]).toBe(1);
    }
  });

  it('keeps the authorization in the language that the customer saw', async () => {
    const form = await TestForm.open(api, 'virtual-sale', { paymentMethodId: api.method(kind.form).id });
    const page = await browser.page();
    await page.goto(`${form.opened.form?.url}?lang=en`);
    await enterAccount(page.mainFrame() as unknown as FrameLocator, kind, ACCOUNT.approved);
    await page.getByRole('button', { name: 'FR Français' }).click();
    const text = await page.locator('#consent').innerText();
    await page.locator('button.primary').click();
    await showsScreen(page, 'Paiement transmis à votre banque');
    const consent = (await historyOf(api, form.id)).find(({ type }) => type === 'ConsentGiven');
    expect(consent?.data).toMatchObject({ language: 'fr', text });
  });
});
