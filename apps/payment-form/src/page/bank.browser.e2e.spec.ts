import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { expectFocus, expectPart, expectScreen, FormPages } from '../testing/form.page.js';
import { ACH, EFT } from '../testing/sessions.fixture.js';
import { approved, error, submitted } from '../testing/stub.service.js';

let pages: FormPages;
beforeAll(async () => (pages = await FormPages.start()));
afterAll(() => pages.stop());
afterEach(async () => assert.deepEqual(await pages.close(), []));

async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
}
async function fillAddress(page: Page): Promise<void> {
  await fillIn(page, { 'Account holder’s name': 'Ann Maple', Address: '12 Main Street', City: 'Cambridge' });
}
const authorize = (page: Page) => page.getByRole('button', { name: /^Authorize and / });

const BILLING = { name: 'Ann Maple', address: '12 Main Street', city: 'Cambridge' };

describe('A payment from a bank account', () => {
  it('of the US sends the account, its holder, and the authorization that the customer saw', async () => {
    const page = await pages.open({ session: ACH });
    await fillIn(page, { 'Routing number': '110000000', 'Account number': '000123456789' });
    await page.getByLabel('Account type').selectOption('Savings');
    await fillAddress(page);
    await page.getByLabel('State').selectOption('MA');
    await page.getByLabel('ZIP code').fill('02139');
    await expectPart(page.getByText('I authorize Maple Books to take this payment'));
    pages.stub.behaviours.push(submitted);
    await page.getByRole('button', { name: 'Authorize and pay $128.40' }).click();
    await expectScreen(page, 'Payment sent to your bank');
    await expectPart(page.getByText('Your bank answers in a few business days.'));
    expect(pages.stub.submissions.map(({ body }) => body)).toEqual([
      {
        bankAccount: {
          routingNumber: '110000000',
          accountNumber: '000123456789',
          accountType: 'Savings',
          name: 'Ann Maple',
        },
        billingContact: { ...BILLING, state: 'MA', countryCode: 'US', zipCode: '02139' },
        authorization: { version: '2026-08', language: 'en' },
      },
    ]);
  });

  it('of Canada sends institution and transit, and the authorization in the language that is shown', async () => {
    const page = await pages.open({ session: EFT });
    await fillIn(page, {
      'Institution number': '000',
      'Transit number': '11000',
      'Account number': '000123456789',
    });
    await fillAddress(page);
    await page.getByLabel('Province or territory').selectOption('QC');
    await page.getByLabel('Postal code').fill('k1a 0b1');
    await page.getByRole('button', { name: 'FR Français' }).click();
    await expectPart(page.getByText('J’autorise Maple Books à prélever'));
    pages.stub.behaviours.push(submitted);
    await page.getByRole('button', { name: 'Autoriser et payer 128,40 $' }).click();
    await expectScreen(page, 'Paiement transmis à votre banque');
    expect(pages.stub.submissions.map(({ body }) => body)).toEqual([
      {
        bankAccount: {
          institutionNumber: '000',
          transitNumber: '11000',
          accountNumber: '000123456789',
          name: 'Ann Maple',
        },
        billingContact: { ...BILLING, state: 'QC', countryCode: 'CA', zipCode: 'k1a 0b1' },
        authorization: { version: '2026-08', language: 'fr' },
      },
    ]);
  });

  it('stores an account, if the merchant asks for that', async () => {
    const { authorization } = ACH;
    const page = await pages.open({
      session: {
        paymentMethodType: 'VirtualAch',
        type: 'TokenCreate',
        ...(authorization && { authorization }),
      },
    });
    await fillIn(page, { 'Routing number': '110000000', 'Account number': '000123456789' });
    await page.getByLabel('Account type').selectOption('Checking');
    await fillAddress(page);
    await page.getByLabel('State').selectOption('MA');
    await page.getByLabel('ZIP code').fill('02139');
    pages.stub.behaviours.push(approved);
    await page.getByRole('button', { name: 'Authorize and save account' }).click();
    await expectScreen(page, 'Account saved');
  });
});

describe('The numbers of an account', () => {
  const errorsOf = (page: Page) => page.locator('.error').allInnerTexts();

  it('are checked beside their fields, and the first wrong one gets the focus', async () => {
    const page = await pages.open({ session: ACH });
    await page.getByLabel('Routing number').fill('110 000 001');
    await page.getByLabel('Account number').fill('12');
    await authorize(page).click();
    expect((await errorsOf(page)).slice(0, 4)).toEqual([
      'This routing number is not valid. Check the digits.',
      'The account number is incomplete.',
      'Choose the type of your account.',
      'Enter the name of the account holder.',
    ]);
    await expectFocus(page, '#field-routingNumber');
    expect(pages.stub.submissions).toEqual([]);
  });

  it('that only the service finds wrong have their error in the same place', async () => {
    const page = await pages.open({ session: EFT });
    await fillIn(page, {
      'Institution number': '999',
      'Transit number': '11000',
      'Account number': '000123456789',
    });
    await fillAddress(page);
    await page.getByLabel('Province or territory').selectOption('QC');
    await page.getByLabel('Postal code').fill('K1A 0B1');
    const field = 'bankAccount.institutionNumber';
    pages.stub.behaviours.push(
      error(400, { code: 2000, errorDetails: [{ code: 2000, field, message: 'wrong' }] }),
    );
    await authorize(page).click();
    await expectPart(page.getByText('This institution number is not valid.'));
    await expectFocus(page, '#field-institutionNumber');
  });

  it('are neither kept nor filled in by the browser', async () => {
    const page = await pages.open({ session: ACH });
    const found = await page
      .locator('input, select')
      .evaluateAll((all) =>
        (all as HTMLInputElement[])
          .slice(0, 4)
          .map((one) => `${one.id.slice(6)} ${one.autocomplete} ${one.name}`.trim()),
      );
    expect(found).toEqual(['routingNumber off', 'accountNumber off', 'accountType off', 'name name']);
  });
});
