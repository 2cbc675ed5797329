import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startProfile } from '@tillstream/browser-testing';
import { enterCard, showsScreen, submitButton } from '../../testing/card.form.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { TestForm } from '../form.testing.js';

/** The browser keeps the state of a page some time after it changed. */
const STATE_KEPT_WITHIN_MS = 3_000;
const CARD = { number: '378282246310005', cvv: '9173', zipCode: '90210' };

let api: TestApi;
let profile: string;
beforeAll(async () => {
  api = await startTestApi();
  profile = mkdtempSync(join(tmpdir(), 'tillstream-profile-'));
});
afterAll(async () => {
  await api.stop();
  rmSync(profile, { recursive: true, force: true });
});

async function fillIn(page: Page): Promise<void> {
  const form = await TestForm.open(api, 'virtual-sale', {
    formConfig: { billingInfoCaptureLevel: 'Minimal' },
  });
  await page.goto(`${form.opened.form?.url}?lang=en`);
  await enterCard(page, CARD);
}

/** Which of the texts a file of the profile has, as bytes or as UTF-16. */
function keptOf(...texts: readonly string[]): string[] {
  const files = readdirSync(profile, { recursive: true, withFileTypes: true });
  const kept = files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)));
  return texts.filter((text) =>
    [Buffer.from(text), Buffer.from(text, 'utf16le')].some((bytes) =>
      kept.some((file) => file.includes(bytes)),
    ),
  );
}

describe('The files of the customer’s browser', () => {
  it('never have the card: of a form that was paid, that was left, and that was open at the end', async () => {
    const browser = await startProfile(profile);
    const [paid, left, open] = [await browser.newPage(), await browser.newPage(), await browser.newPage()];
    await fillIn(paid);
    await submitButton(paid).click();
    await showsScreen(paid, 'Payment complete');
    for (const page of [left, open]) await fillIn(page);
    await open.waitForTimeout(STATE_KEPT_WITHIN_MS);
    await left.goto(`${api.running.origin}/sandbox`);
    await left.goBack();
    await showsScreen(left, /^Pay /);
    expect(await left.getByLabel('Card number').inputValue()).toBe('');
    await browser.close();
    expect(keptOf('3782 822463 10005', CARD.number, '12/34')).toEqual([]);
    // The code is everywhere by chance in fewer bytes.
    expect(keptOf(...[CARD.cvv].map((text) => [...text].join('\0')))).toEqual([]);
    // The search is one that finds: the browser keeps the field that is not of the card.
    expect(keptOf('/pay/ses_', CARD.zipCode)).toEqual(['/pay/ses_', CARD.zipCode]);
  });
});
