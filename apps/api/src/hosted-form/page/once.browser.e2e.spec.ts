import assert from 'node:assert/strict';
import type { HistoryItem, TransactionResult } from '@tillstream/contracts';
import type { BrowserContext, Page } from 'playwright-core';
import { enterCard, pay, showsScreen, submitButton } from '../../testing/card.form.js';
import { eventually } from '../../testing/eventually.js';
import { movementsOf } from '../../testing/sandbox.ledger.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';
import { TestForm } from '../form.testing.js';

/** The answer is lost; an inquiry finds the approval. */
const LOST_ANSWER = 920_001;
/** Approved after 5 s, which is after the deadline. */
const LATE_ANSWER = 920_005;

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
afterEach(async () => assert.deepEqual(await browser.closePages(), []));

const open = (amount = 1_250, name = 'virtual-sale'): Promise<TestForm> =>
  TestForm.open(api, name, { amount, formConfig: { billingInfoCaptureLevel: 'Minimal' } });
const addressOf = ({ opened }: TestForm): string => `${opened.form?.url}?lang=en`;

async function tab(form: TestForm, context?: BrowserContext): Promise<Page> {
  const page = context ? await browser.tab(context) : await browser.page();
  await page.goto(addressOf(form));
  await enterCard(page);
  return page;
}

function submissionsOf(page: Page): string[] {
  const keys: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/submit')) keys.push(request.headers()['idempotency-key'] ?? '');
  });
  return keys;
}

/** The list of transactions shows the approval, and the acquirer's ledger one movement. */
async function expectChargedOnce({ id }: TestForm, amount = 1_250): Promise<void> {
  let listed: TransactionResult[] = [];
  await eventually(async () => {
    listed = (await api.list(`/v1/transactions?id=${id}`)).data;
    return listed[0]?.status === 'Completed';
  });
  expect(listed).toHaveLength(1);
  const [{ transactionResponses = [] } = {}] = listed;
  expect(transactionResponses).toMatchObject([{ responseCode: 1, amountApproved: amount }]);
  const moved = movementsOf(api.dataDir, id).map(({ kind, amount: cents }) => `${kind} ${cents}`);
  expect(moved).toEqual([`Captured ${amount}`]);
}

describe('A customer is charged once', () => {
  it('by a double click on Pay', async () => {
    const form = await open();
    const page = await tab(form);
    const keys = submissionsOf(page);
    await submitButton(page).dblclick();
    await showsScreen(page, 'Payment complete');
    expect(keys).toHaveLength(1);
    await expectChargedOnce(form);
  });

  it('by Enter, pressed again and again', async () => {
    const form = await open();
    const page = await tab(form);
    const keys = submissionsOf(page);
    await page.getByLabel('ZIP code').focus();
    for (let times = 0; times < 4; times++) await page.keyboard.press('Enter');
    await showsScreen(page, 'Payment complete');
    expect(keys).toHaveLength(1);
    await expectChargedOnce(form);
  });

  it('by two tabs at once, and both show the outcome', async () => {
    const form = await open();
    const first = await tab(form);
    const second = await tab(form, first.context());
    await Promise.all([submitButton(first).click(), submitButton(second).click()]);
    await Promise.all([first, second].map((page) => showsScreen(page, 'Payment complete')));
    await expectChargedOnce(form);
  });

  it('by a second tab while the submission of the first one has no outcome', async () => {
    const form = await open(LOST_ANSWER);
    const first = await tab(form);
    const second = await tab(form, first.context());
    await submitButton(first).click();
    await first.getByText('Processing…').first().waitFor();
    await submitButton(second).click();
    await Promise.all([first, second].map((page) => showsScreen(page, 'Payment complete')));
    await expectChargedOnce(form, LOST_ANSWER);
  });

  it('by a page that is loaded again after the payment: it shows the outcome, and has no fields', async () => {
    const form = await open();
    const page = await tab(form);
    await submitButton(page).click();
    await showsScreen(page, 'Payment complete');
    await page.reload();
    await showsScreen(page, 'Payment complete');
    expect(await page.locator('input').count()).toBe(0);
    await expectChargedOnce(form);
  });

  it('by a submission whose answer never arrives: the page repeats it with the same key', async () => {
    const form = await open();
    const page = await tab(form);
    const keys = submissionsOf(page);
    let isLost = false;
    await page.route('**/submit', async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await submitButton(page).click();
    await page.getByText('The connection was lost.').waitFor();
    await showsScreen(page, 'Payment complete');
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    await expectChargedOnce(form);
  });
});

describe('A tab that is closed while its submission is in flight', () => {
  it.each([LOST_ANSWER, LATE_ANSWER])(
    'leaves an outcome that the list of transactions shows (amount %i)',
    async (amount) => {
      const form = await open(amount);
      const page = await tab(form);
      const sent = page.waitForRequest('**/submit');
      await submitButton(page).click();
      await sent;
      await eventually(() => isRequested(form));
      await page.close();
      await expectChargedOnce(form, amount);
    },
  );

  it('is opened again, says that the customer must not pay again, and then the outcome', async () => {
    const form = await open(LATE_ANSWER);
    const page = await tab(form);
    const context = page.context();
    await submitButton(page).click();
    await showsScreen(page, 'Do not pay again');
    await page.close();
    const again = await browser.tab(context);
    await again.goto(addressOf(form));
    await showsScreen(again, 'Do not pay again');
    expect(await again.locator('input').count()).toBe(0);
    await showsScreen(again, 'Payment complete');
    await expectChargedOnce(form, LATE_ANSWER);
  });

  /** The service has the submission. */
  async function isRequested({ id }: TestForm): Promise<boolean> {
    const { data } = await api.list<HistoryItem>(`/v1/transactions/${id}/events`);
    return data.some(({ type }) => type === 'TryRequested');
  }
});

describe('A form that was paid', () => {
  it('in one tab takes nothing in another one that still shows its fields', async () => {
    const form = await open();
    const [first, second] = [await tab(form), await tab(form)];
    await pay(first);
    await showsScreen(first, 'Payment complete');
    await pay(second, { number: '5555555555554444' });
    await showsScreen(second, 'Payment complete');
    await expectChargedOnce(form);
  });
});
