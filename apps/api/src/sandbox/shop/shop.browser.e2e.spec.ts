import assert from 'node:assert/strict';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { startBrowser } from '@tillstream/browser-testing';
import { ANSWER, pass } from '../../hosted-form/bank-forms/bank.testing.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await startTestApi({ SEND_WITHIN_MS: '5000', PROCESSOR_DEADLINE_MS: '2000' });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

const troubles: string[] = [];
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  // The browser reports violations of the content security policy and errors of scripts on the console.
  assert.deepEqual(troubles.splice(0), []);
});

async function opened({ width = 1280, query = '', host = 'localhost' } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(`http://${host}:${api.running.port}/sandbox/shop${query}`);
  return page;
}
const choose = (page: Page, title: string) => page.getByRole('button', { name: title }).click();
const formIn = (page: Page): FrameLocator => page.frameLocator('.stage iframe');
async function enter(page: Page, number: string): Promise<void> {
  const form = formIn(page);
  await form.locator('#field-number').fill(number);
  await form.locator('#field-expiry').fill('1234');
  await form.locator('#field-cvv').fill('123');
  await form.locator('#field-zipCode').fill('10001');
  await form.locator('button[type=submit]').click();
}

/** With the first test account that the shop names. */
async function enterAccount(page: Page): Promise<void> {
  const form = formIn(page);
  const numbers: Readonly<Record<string, string>> = {
    routingNumber: '110000000',
    institutionNumber: '000',
    transitNumber: '11000',
    accountNumber: await page.locator('.numbers button').first().innerText(),
    name: 'Robin Reader',
    address: '12 Main Street',
    city: 'Springfield',
  };
  await form.locator('#field-accountNumber').waitFor();
  const isCanadian = (await form.locator('#field-transitNumber').count()) > 0;
  for (const [field, text] of Object.entries(numbers)) {
    const input = form.locator(`#field-${field}`);
    if ((await input.count()) > 0) await input.fill(text);
  }
  if (!isCanadian) await form.locator('#field-accountType').selectOption('Checking');
  await form.locator('#field-state').selectOption({ index: 1 });
  await form.locator('#field-zipCode').fill(isCanadian ? 'K1A 0B1' : '02139');
  await form.locator('button[type=submit]').click();
}

describe('The demo shop', () => {
  it.each(['localhost', '127.0.0.1'])('sells a book by the form, after a decline, at %s', async (host) => {
    const page = await opened({ host });
    await choose(page, 'The Lighthouse Ledger');
    await page.getByRole('button', { name: 'Pay with card' }).click();
    await enter(page, '4000000000009995');
    await formIn(page).getByRole('alert').waitFor();
    await enter(page, '4242424242424242');
    await page.getByText('Thank you for reading').first().waitFor();
    const receipt = await page.locator('.facts').innerText();
    for (const fact of ['$18.50', 'VISA ···· 4242']) expect(receipt).toContain(fact);
    const id = /trx_[0-9A-Z]{26}/.exec(receipt)?.[0] ?? '';
    expect(await api.look(id)).toMatchObject({ status: 'Completed', amount: 1_850 });
    const log = await page.locator('.log-title').allTextContents();
    expect(log).toEqual([
      `GET /v1/transactions/${id}`,
      'completed',
      'SdkCardDeclined',
      'POST /v1/transactions/virtual-sale',
    ]);
    expect(await page.content()).not.toContain(api.key);
  });

  it('saves a card, and sells a book with it', async () => {
    const page = await opened({ width: 390 });
    await page.getByRole('button', { name: 'Save a card' }).click();
    await enter(page, '5555555555554444');
    await page.getByText('Card saved').first().waitFor();
    await choose(page, 'Night Trains North');
    await page.getByRole('button', { name: 'Pay with MASTERCARD ···· 4444' }).click();
    await page.getByText('Thank you for reading').first().waitFor();
    expect(await page.locator('.facts').innerText()).toContain('$21.00');
  });

  it('sells a book to a customer whose bank verifies the card, with the code that the shop names', async () => {
    const page = await opened({ width: 390 });
    await choose(page, 'The Lighthouse Ledger');
    await page.getByLabel('The bank verifies the card (3-D Secure)').check();
    await page.getByRole('button', { name: 'Pay with card' }).click();
    const [code = ''] = /\b\d{6}\b/.exec(await page.locator('.hint').innerText()) ?? [];
    await page.getByRole('button', { name: '4000 0000 0000 3220' }).waitFor();
    await enter(page, '4000000000003220');
    const bank = formIn(page).frameLocator('dialog iframe');
    await bank.getByLabel('Verification code').fill(code);
    await bank.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Thank you for reading').first().waitFor();
    expect(await page.locator('.facts').innerText()).toContain('$18.50');
  });

  it.each([
    ['US (USD)', '$18.50'],
    ['Canada (CAD)', '$18.50 CAD'],
  ])(
    'sells a book for a bank account (%s), and shows the answer of the bank a day later',
    async (name, paid) => {
      const page = await opened();
      await choose(page, 'The Lighthouse Ledger');
      await page.getByRole('button', { name }).click();
      await enterAccount(page);
      await page.getByText('Sent to the bank').first().waitFor();
      expect(await page.locator('.facts').innerText()).toContain(paid);
      expect(await page.locator('.command').innerText()).toContain('/admin/v1/sandbox/clock');
      await pass(api, ANSWER);
      await page.getByRole('button', { name: 'Read the transaction again' }).click();
      await page.getByText('Thank you for reading').first().waitFor();
    },
  );

  it('saves a bank account, and sells a book with it', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Save a bank account' }).click();
    await enterAccount(page);
    await page.getByText('Account saved').first().waitFor();
    await choose(page, 'Night Trains North');
    await page.getByRole('button', { name: 'Pay with Checking ···· 6789' }).click();
    await page.getByText('Sent to the bank').first().waitFor();
    expect(await page.locator('.facts').innerText()).toContain('$21.00');
  });

  it('says that nothing was charged when the customer cancels', async () => {
    const page = await opened();
    await choose(page, 'Salt, Rye & Honey');
    await page.getByRole('button', { name: 'Pay with card' }).click();
    await formIn(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was charged.').first().waitFor();
    expect(await page.locator('.ending').textContent()).toBe('Cancelled');
  });

  it('goes back to the bag if the customer leaves the form', async () => {
    const page = await opened();
    await choose(page, 'Salt, Rye & Honey');
    await page.getByRole('button', { name: 'Pay with card' }).click();
    await formIn(page).locator('#field-number').waitFor();
    await page.getByRole('button', { name: 'Back to the bag' }).click();
    await page.getByRole('button', { name: 'Pay with card' }).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('shows the form in French: ?lang=fr', async () => {
    const page = await opened({ query: '?lang=fr' });
    await choose(page, 'Salt, Rye & Honey');
    await page.getByRole('button', { name: 'Pay with card' }).click();
    const french = formIn(page).getByText('Numéro de carte');
    await french.waitFor();
    expect(await french.count()).toBe(1);
  });

  it.each([320, 390, 1_280])('is as wide as its window: %i', async (width) => {
    const page = await opened({ width });
    await choose(page, 'The Rare Folio');
    await page.getByRole('button', { name: 'Pay with card' }).click();
    await formIn(page).locator('#field-number').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});
