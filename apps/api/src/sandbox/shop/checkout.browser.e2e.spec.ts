import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { enterCard, noticeOf, pay, submitButton } from '../../testing/card.form.js';
import { movementsOf } from '../../testing/sandbox.ledger.js';
import { answered, eventually } from '../../testing/eventually.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';

const DECLINED = '4000000000000002';
const NO_FUNDS = '4000000000009995';
const BOOK = /The Lighthouse Ledger/;

let api: TestApi;
let browser: WatchedBrowser;
let shop: Page;
beforeAll(async () => {
  api = await startTestApi();
  browser = await WatchedBrowser.start();
});
afterAll(async () => {
  await browser?.stop();
  await api.stop();
});
beforeEach(async () => (shop = await opened()));
afterEach(async () => assert.deepEqual(await browser.closePages(), []));

async function opened(query = ''): Promise<Page> {
  const page = await browser.page();
  await page.goto(`${api.running.origin}/sandbox/shop${query}`);
  return page;
}

const press = (name: string | RegExp): Promise<void> => shop.getByRole('button', { name }).first().click();
const iframe = (): FrameLocator => shop.locator('#till').frameLocator('iframe');
/** The form of a purchase of this book, in the shop's iframe. */
async function checkout(book = BOOK): Promise<FrameLocator> {
  await press(book);
  await press('Pay with card');
  return iframe();
}

/** Waits until the shop says this by the transaction that its server read; returns the transaction's id. */
async function ended(text: string): Promise<string> {
  await shop.locator('.ending', { hasText: text }).waitFor();
  return shop.locator('.facts div', { hasText: 'Transaction' }).locator('dd').innerText();
}
const moved = (id: string) => movementsOf(api.dataDir, id).map(({ kind, amount }) => `${kind} ${amount}`);

describe('A customer of the shop', () => {
  it('buys a book: the form completes, and the transaction is approved and captured once', async () => {
    await pay(await checkout());
    const id = await ended('Thank you for reading');
    expect(await api.look(id)).toMatchObject({
      type: 'Sale',
      status: 'Completed',
      amount: 1_850,
      transactionResponses: [{ responseCode: 1, amountApproved: 1_850, cardType: 'VISA' }],
    });
    expect(moved(id)).toEqual(['Captured 1850']);
    await shop.locator('.log-title', { hasText: 'completed' }).waitFor();
  });

  it('stores a card, and pays with it without a form', async () => {
    await press('Save a card');
    await pay(iframe(), { number: '5555555555554444' });
    const token = await api.look(await ended('Card saved'));
    expect(token).toMatchObject({ type: 'TokenCreate', status: 'Completed' });
    await press('Done');
    await press(BOOK);
    await press('Pay with MASTERCARD ···· 4444');
    const id = await ended('Thank you for reading');
    const sale = await api.look(id);
    expect(sale).toMatchObject({ type: 'Sale', status: 'Completed', amount: 1_850 });
    expect(sale.paymentMethod.id).toMatch(/^pmt_tkn_/);
    expect(moved(id)).toEqual(['Captured 1850']);
  });

  it('is declined, corrects the card in the same form, and is charged once', async () => {
    const form = await checkout();
    await pay(form, { number: NO_FUNDS });
    expect(await noticeOf(form, 'not enough funds')).toContain('You can try 4 more times.');
    expect(await form.getByLabel('Security code').inputValue()).toBe('');
    await pay(form);
    const id = await ended('Thank you for reading');
    const { transactionResponses } = await api.look(id);
    expect(transactionResponses.map(({ responseCode }) => responseCode)).toEqual([1, 11]);
    expect(moved(id)).toEqual(['Captured 1850']);
  });

  it('is declined five times, and the form is over: nothing is charged', async () => {
    const form = await checkout();
    for (const left of ['4 more times', '3 more times', '2 more times', '1 more time']) {
      await pay(form, { number: DECLINED });
      await noticeOf(form, `You can try ${left}.`);
    }
    await pay(form, { number: DECLINED });
    const id = await ended('Declined');
    const { status, resultCode, transactionResponses } = await api.look(id);
    expect([status, resultCode, transactionResponses.length]).toEqual(['Completed', 6900, 5]);
    expect(moved(id)).toEqual([]);
  });

  it('comes back to the form too late: it has expired, and takes no card', async () => {
    const form = await checkout();
    await enterCard(form);
    const clock = await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 31 * 60 } });
    answered(clock);
    await submitButton(form).click();
    const id = await ended('Cancelled');
    expect(await shop.locator('#till').innerText()).toContain('The form was open for too long.');
    expect((await api.look(id)).status).toBe('Expired');
    expect(moved(id)).toEqual([]);
  });
});

describe('With the keyboard alone', () => {
  /** Presses Tab until this has the focus, in the shop or in the form. */
  async function tabTo(target: Locator): Promise<void> {
    const hasFocus = () => target.evaluate((one) => one.ownerDocument.activeElement === one);
    for (let presses = 0; presses < 60; presses++) {
      if (await hasFocus()) return;
      await shop.keyboard.press('Tab');
    }
    throw new Error('it never had the focus');
  }

  it('a customer chooses a book, corrects wrong fields, and pays', async () => {
    await tabTo(shop.getByRole('button', { name: BOOK }));
    await shop.keyboard.press('Enter');
    await tabTo(shop.getByRole('button', { name: 'Pay with card' }));
    await shop.keyboard.press('Enter');
    const form = iframe();
    const number = form.getByLabel('Card number');
    await number.waitFor();
    await tabTo(number);
    await shop.keyboard.type('4242424242424241');
    await shop.keyboard.press('Enter');

    await form.getByText('This card number is not valid. Check the digits.').waitFor();
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    // The first wrong field has the focus, so the customer can type at once.
    await eventually(() => number.evaluate((one) => one.ownerDocument.activeElement === one));
    await shop.keyboard.press('Backspace');
    for (const text of ['2', '1234', '123']) {
      await shop.keyboard.type(text);
      await shop.keyboard.press('Tab');
    }
    await tabTo(form.getByLabel('ZIP code'));
    await shop.keyboard.type('10001');
    await shop.keyboard.press('Enter');
    await ended('Thank you for reading');
  });
});
