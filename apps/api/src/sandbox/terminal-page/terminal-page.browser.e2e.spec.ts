import assert from 'node:assert/strict';
import type { TransactionResult } from '@tillstream/contracts';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '@tillstream/browser-testing';
import { resultOf, startTestApi, type TestApi } from '../../testing/test.api.js';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await startTestApi({ TERMINAL_DEADLINE_MS: '25000', SEND_WITHIN_MS: '5000' });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

const troubles: string[] = [];
let page: Page;
beforeEach(async () => {
  await api.setTerminal(api.method('Front counter').id, { mode: 'Manual' });
  page = await opened();
});
afterEach(async () => {
  await page.context().close();
  // The browser reports violations of the content security policy and errors of scripts on the console.
  assert.deepEqual(troubles.splice(0), []);
});

async function opened(size = { width: 1280, height: 900 }): Promise<Page> {
  const context = await browser.newContext({ viewport: size });
  const made = await context.newPage();
  made.setDefaultTimeout(20_000);
  made.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  made.on('pageerror', (error) => troubles.push(error.message));
  await made.goto(`${api.running.origin}/sandbox`);
  await made.getByRole('link', { name: 'Front counter' }).click();
  // The first answer has come: until then the page knows no name.
  await made.getByRole('heading', { name: 'Front counter' }).waitFor();
  return made;
}

const sell = (amount: number): Promise<TransactionResult> =>
  api.operation('physical-sale', { amount }).then(resultOf);
const responseCode = ({ transactionResponses }: TransactionResult) => transactionResponses[0]?.responseCode;
/** What the glass shows, and a screen reader hears. */
async function says(on: Page, text: string): Promise<void> {
  await on.locator('#headline', { hasText: text }).waitFor();
  await on.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });
}

describe('The page of a terminal', () => {
  it('sets what the terminal does, and is the same on every screen that shows it', async () => {
    const phone = await opened({ width: 360, height: 740 });
    await page.getByRole('radio', { name: 'Low battery' }).check();
    await says(phone, 'Battery low');
    expect(await sell(700)).toMatchObject({ resultCode: 3006 });
    const widths = await phone.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    expect(widths).toEqual([360, 360]);
    await phone.context().close();
  });

  it('takes a card by a tap, and shows what came of it', async () => {
    const sale = sell(1_250);
    await says(page, 'Tap, insert or swipe');
    expect(await page.locator('#amount').textContent()).toBe('$12.50 USD');
    await page.getByLabel('Card in your hand').selectOption('4000000000009995');
    await page.getByRole('button', { name: 'Tap' }).click();
    await says(page, 'Declined');
    const { id, ...ended } = await sale;
    expect(responseCode({ id, ...ended })).toBe(11);
    const facts = await page.locator('#last').innerText();
    for (const fact of ['Insufficient funds', 'VISA ···· 9995', 'Tapped', id]) expect(facts).toContain(fact);
  });

  it('is used from the keyboard alone: card, PIN, correction and OK', async () => {
    await page.getByLabel('Card in your hand').selectOption('4000056655665556');
    const sale = sell(700);
    await says(page, 'Tap, insert or swipe');
    await page.getByRole('button', { name: 'Insert' }).focus();
    await page.keyboard.press('Enter');
    await says(page, 'Enter your PIN');
    await page.keyboard.type('1235');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await says(page, 'Approved');
    expect(responseCode(await sale)).toBe(1);
  });

  it('takes the PIN from its own keys, and says that it was wrong', async () => {
    const sale = sell(700);
    await says(page, 'Tap, insert or swipe');
    await page.getByLabel('Card in your hand').selectOption('DEBIT');
    await page.getByRole('button', { name: 'Insert' }).click();
    await says(page, 'Enter your PIN');
    for (const digit of ['9', '0', '0', '9'])
      await page.getByRole('button', { name: digit, exact: true }).click();
    await page.getByRole('button', { name: 'OK' }).click();
    await says(page, 'Declined');
    expect(responseCode(await sale)).toBe(17);
  });

  it('lets the customer walk away with Escape', async () => {
    const sale = sell(700);
    await says(page, 'Tap, insert or swipe');
    await page.keyboard.press('Escape');
    await says(page, 'Cancelled');
    expect(await sale).toMatchObject({ status: 'Cancelled', transactionResponses: [{ responseCode: 55 }] });
  });

  it.each([1280, 360])('keeps every part in its place in every state (%i px wide)', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const places = async () => {
      const parts = await page.locator('.device, .keys, .present, .panel').all();
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      // The panel of the last transaction is the lowest, and may grow.
      const rounded = boxes.map((box) => Object.values(box ?? {}).map(Math.round));
      return rounded.slice(0, -1);
    };
    const atRest = await places();
    const sale = sell(99_999_999);
    await says(page, 'Tap, insert or swipe');
    expect(await places()).toEqual(atRest);
    await page.getByRole('button', { name: 'Tap' }).click();
    await says(page, 'Approved');
    expect(await places()).toEqual(atRest);
    await sale;
  });
});
