import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  expectFocus,
  cancelButton,
  CARD,
  fillCard,
  fillMinimal,
  FormPages,
  payButton,
  expectPart,
  expectScreen,
} from '../testing/form.page.js';
import { MINIMAL } from '../testing/sessions.fixture.js';
import { approved, declined, error, lost, lostAfter, type Behaviour } from '../testing/stub.service.js';

let pages: FormPages;
beforeAll(async () => (pages = await FormPages.start()));
afterAll(() => pages.stop());
afterEach(async () => assert.deepEqual(await pages.close(), []));

async function paid(page: Page, ...behaviours: Behaviour[]): Promise<void> {
  pages.stub.behaviours.push(...behaviours);
  await fillMinimal(page);
  await payButton(page).click();
}

describe('A payment', () => {
  it('is approved, and the service gets the card and the address', async () => {
    const page = await pages.open();
    await fillCard(page);
    await page.getByLabel('Name on card').fill('Ann Maple');
    await page.getByLabel('Address', { exact: true }).fill('12 Main Street');
    await page.getByLabel('City').fill('Cambridge');
    await page.getByLabel('State').selectOption('Massachusetts');
    await page.getByLabel('ZIP code').fill('02139-1234');
    await payButton(page).click();
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.submissions).toEqual([
      {
        key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        body: {
          card: { number: '4242424242424242', expDate: '1230', cvv: '123' },
          billingContact: {
            name: 'Ann Maple',
            address: '12 Main Street',
            city: 'Cambridge',
            state: 'MA',
            countryCode: 'US',
            zipCode: '02139-1234',
          },
        },
      },
    ]);
  });

  it('that is declined says why and how often the customer can try; all but the security code stays', async () => {
    const page = await pages.open({ session: MINIMAL });
    await paid(page, declined(11));
    const alert = page.getByRole('alert');
    await expectPart(alert.filter({ hasText: 'not enough funds' }));
    expect(await alert.innerText()).toContain('You can try 4 more times.');
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.getByLabel('ZIP code').inputValue()).toBe('02139');
    expect(await page.getByLabel('Security code').inputValue()).toBe('');
    await page.getByLabel('Security code').fill('321');
    await payButton(page).click();
    await expectScreen(page, 'Payment complete');
    const [first, second] = pages.stub.submissions;
    expect(first?.key).not.toBe(second?.key);
  });

  it('that is declined for the fifth time is over', async () => {
    const page = await pages.open({ session: { ...MINIMAL, triesLeft: 1 } });
    await paid(page, declined(10));
    await expectScreen(page, 'Not accepted');
  });

  it('is submitted once by a double click', async () => {
    const page = await pages.open({ session: MINIMAL });
    await fillMinimal(page);
    pages.stub.behaviours.push(async (stub) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return approved(stub);
    });
    await payButton(page).dblclick();
    expect(await page.getByRole('button', { name: 'Processing…' }).isDisabled()).toBe(true);
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.submissions).toHaveLength(1);
  });

  it('is submitted by the Enter key', async () => {
    const page = await pages.open({ session: MINIMAL });
    await fillMinimal(page);
    await page.getByLabel('ZIP code').press('Enter');
    await expectScreen(page, 'Payment complete');
  });

  it('of unknown outcome tells the customer not to pay again, and then shows the outcome', async () => {
    const page = await pages.open({ session: MINIMAL });
    await paid(page, (stub) => {
      stub.progress({ status: 'Interrupted', resultCode: 9999, responseCode: 0 });
      return { status: 500, body: { code: 3000, status: 'Interrupted', errorDetails: [] } };
    });
    await expectScreen(page, 'Do not pay again');
    approved(pages.stub);
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.submissions).toHaveLength(1);
  });

  it('whose answer was lost is repeated with the same key, and executed once', async () => {
    const page = await pages.open({ session: MINIMAL });
    await paid(page, lost, lostAfter(approved));
    await page.getByText('The connection was lost.').waitFor();
    await expectScreen(page, 'Payment complete');
    const keys = pages.stub.submissions.map(({ key }) => key);
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('with limits reached says how long to wait', async () => {
    const page = await pages.open({ session: MINIMAL });
    await paid(page, error(429, { code: 3000 }, { 'retry-after': '120' }));
    await expectPart(page.getByRole('alert').filter({ hasText: 'Wait 2 minutes' }));
  });
});

describe('A wrong field', () => {
  it('has its error beside it, and the first one gets the focus', async () => {
    const page = await pages.open({ session: MINIMAL });
    await fillCard(page, { number: '4242424242424241', expiry: '' });
    await payButton(page).click();
    const number = page.getByLabel('Card number');
    const described = await number.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).innerText()).toBe(
      'This card number is not valid. Check the digits.',
    );
    await expectFocus(page, '#field-number');
    expect(await page.locator('.error').count()).toBe(3);
    expect(pages.stub.submissions).toEqual([]);
  });

  it('that the service finds is shown beside it, and is no attempt', async () => {
    const page = await pages.open({ session: MINIMAL });
    const field = 'billingContact.zipCode';
    await paid(page, error(400, { code: 2102, errorDetails: [{ code: 2102, field, message: 'wrong' }] }));
    await page.locator('#field-zipCode-error').waitFor();
    await expectFocus(page, '#field-zipCode');
    expect(await page.getByLabel('Security code').inputValue()).toBe(CARD.cvv);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('in another country follows the rules of that country', async () => {
    const page = await pages.open({ session: MINIMAL });
    await page.getByLabel('Country or region').selectOption('CA');
    await page.getByLabel('Postal code').fill('02139');
    await page.getByLabel('Postal code').press('Tab');
    await page.getByText('Enter a postal code such as A1A 1A1.').waitFor();
    await page.getByLabel('Postal code').fill('k1a0b1');
    expect(await page.locator('.error').count()).toBe(0);
  });
});

describe('The form', () => {
  it('is cancelled by its button', async () => {
    const page = await pages.open({ session: MINIMAL });
    await cancelButton(page).click();
    await expectScreen(page, 'Cancelled');
  });

  it('that cannot be cancelled during a payment says so', async () => {
    const page = await pages.open({ session: MINIMAL });
    pages.stub.behaviours.push(error(409, { code: 3401 }));
    await cancelButton(page).click();
    await expectPart(page.getByRole('alert').filter({ hasText: 'already being processed' }));
  });

  it('asks the service for its state when the time is over', async () => {
    const page = await pages.open({ session: MINIMAL, clock: true });
    await page.getByText('Time left').waitFor();
    await page.clock.runFor(29 * 60_000);
    await page.getByText('You have 1 minute left to finish.').waitFor({ state: 'attached' });
    pages.stub.progress({ status: 'Expired', resultCode: 3010 });
    await page.clock.runFor(61_000);
    await expectScreen(page, 'The time is over');
  });

  it('that cannot be loaded is loaded again by a button', async () => {
    const page = await pages.blank({ session: MINIMAL });
    pages.stub.line = 'down';
    await page.goto(pages.stub.address);
    await expectScreen(page, 'The form could not be loaded');
    pages.stub.line = 'up';
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectPart(payButton(page));
  });

  it('that fails by an error of its own offers to load it again', async () => {
    const page = await pages.blank({ session: MINIMAL });
    await page.addInitScript('Intl.DisplayNames = undefined');
    await page.goto(`${pages.stub.address}?lang=en`);
    await expectScreen(page, 'Something went wrong on this page');
    expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true);
  });

  it('goes back to the merchant after the result was shown', async () => {
    const page = await pages.open({ session: MINIMAL });
    const redirectUrl = `${pages.stub.origin}/parent?status=Completed`;
    await page.route('**/parent*', (route) => route.fulfill({ body: 'shop', contentType: 'text/html' }));
    await paid(page, (stub) =>
      stub.progress({ status: 'Completed', resultCode: 0, responseCode: 1, redirectUrl }),
    );
    await expectScreen(page, 'Payment complete');
    await page.getByText('Taking you back to Maple Books…').waitFor();
    await page.waitForURL(redirectUrl);
    // The finished form is not in the history.
    await page.goBack();
    expect(page.url()).not.toContain('/pay/');
  });

  it('never runs a script that the merchant gave as its address', async () => {
    const redirectUrl = 'javascript:document.title="run"';
    const page = await pages.open({
      session: { status: 'Completed', resultCode: 0, responseCode: 1, redirectUrl },
    });
    await expectPart(page.getByText('You can close this page.'));
  });

  it('keeps the card out of the storage, the address, the document and the console', async () => {
    const page = await pages.open({ session: MINIMAL });
    const printed: string[] = [];
    page.on('console', (message) => printed.push(message.text()));
    await paid(page, declined(10));
    await page.getByRole('alert').waitFor();
    const stored = await page.evaluate<string>(
      `(async () => JSON.stringify([
        { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
        await indexedDB.databases(), await caches.keys(), document.documentElement.outerHTML]))()`,
    );
    for (const text of [stored, ...printed]) {
      expect(text).not.toMatch(/4242\s?4242|"123"/);
    }
    expect(JSON.parse(stored)).toEqual([{}, {}, '', page.url(), null, [], [], expect.any(String)]);
    // A field without a name is not sent by the browser itself.
    expect(
      await page
        .locator('[name]')
        .evaluateAll((all) => all.filter((one) => one.closest('head') === null).length),
    ).toBe(0);
  });
});
