import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { FormSession } from '@tillstream/contracts';
import type { Page } from 'playwright-core';
import { expectPart, fillMinimal, FormPages, payButton, expectScreen } from '../testing/form.page.js';
import { MINIMAL } from '../testing/sessions.fixture.js';
import { declined } from '../testing/stub.service.js';

let pages: FormPages;
beforeAll(async () => (pages = await FormPages.start()));
afterAll(() => pages.stop());
afterEach(async () => assert.deepEqual(await pages.close(), []));

/** What axe finds, as `rule: element`. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
const scrollWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

const ALL_FIELDS: Partial<FormSession> = {
  formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: false, piiFields: ['Email', 'Phone'] },
};
type Act = (page: Page) => Promise<void>;
const nothing: Act = () => Promise.resolve();
/** By ids, because the labels are in two languages. */
async function sent(page: Page): Promise<void> {
  const values = { number: '4242424242424242', expiry: '1230', cvv: '123', zipCode: '02139' };
  for (const [field, value] of Object.entries(values)) await page.locator(`#field-${field}`).fill(value);
  await page.locator('button.primary').click();
}

const SCREENS: readonly (readonly [string, Partial<FormSession>, Act])[] = [
  ['the whole form', ALL_FIELDS, nothing],
  ['the short form', { ...MINIMAL, type: 'TokenCreate' }, nothing],
  ['errors of all fields', ALL_FIELDS, (page) => page.locator('button.primary').click()],
  [
    'a failed attempt',
    MINIMAL,
    async (page) => {
      pages.stub.behaviours.push(declined(10));
      await sent(page);
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'a submission in flight',
    MINIMAL,
    async (page) => {
      pages.stub.behaviours.push(() => new Promise(() => undefined));
      await sent(page);
      await page.locator('form[aria-busy="true"]').waitFor();
    },
  ],
  ['approved', { status: 'Completed', resultCode: 0, responseCode: 1 }, nothing],
  ['processing', { status: 'Processing', resultCode: 0, responseCode: 57 }, nothing],
  ['declined', { status: 'Completed', resultCode: 6900, responseCode: 10 }, nothing],
  ['cancelled', { status: 'Cancelled', resultCode: 55 }, nothing],
  ['expired', { status: 'Expired', resultCode: 3010 }, nothing],
  ['unknown', { status: 'Interrupted', resultCode: 9999, redirectUrl: 'https://shop.example/' }, nothing],
  ['not available', { paymentMethodType: 'VirtualEft' }, nothing],
];

describe.each([
  ['en', 'light'],
  ['fr', 'dark'],
] as const)('In %s and %s,', (lang, colorScheme) => {
  it.each(SCREENS)('axe finds nothing on: %s', async (_, session, act) => {
    const page = await pages.open({ session, lang, colorScheme, reducedMotion: 'reduce' });
    await act(page);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(lang);
  });

  it.each([320, 390, 1280])('no screen scrolls sideways at %i pixels', async (width) => {
    const page = await pages.open({
      session: ALL_FIELDS,
      lang,
      colorScheme,
      viewport: { width, height: 800 },
    });
    await page.locator('button.primary').click();
    await page.locator('#field-phone-error').waitFor();
    expect(await scrollWidth(page)).toBe(width);
  });
});

describe('The form', () => {
  it('can be filled in and sent with the keyboard alone', async () => {
    const page = await pages.open({ session: MINIMAL });
    const type = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    };
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await type('378282246310005');
    await type('1230');
    await type('1234');
    await type('Canada');
    await type('k1a 0b1');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('submit');
    await page.keyboard.press('Enter');
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.submissions[0]?.body).toEqual({
      card: { number: '378282246310005', expDate: '1230', cvv: '1234' },
      billingContact: { countryCode: 'CA', zipCode: 'k1a 0b1' },
    });
    // A screen reader continues at the result.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('keeps the caret where a digit is typed or removed', async () => {
    const page = await pages.open({ session: MINIMAL });
    const number = page.getByLabel('Card number');
    await number.pressSequentially('424242424242424');
    for (let step = 0; step < 9; step++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('9');
    expect(await number.inputValue()).toBe('4242 4242 9424 2424');
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(11);
    await page.keyboard.press('Backspace');
    expect(await number.inputValue()).toBe('4242 4242 4242 424');
    await page.keyboard.type('4');
    expect(await number.inputValue()).toBe('4242 4242 4424 2424');
  });

  it('is sent by a click although the field that loses the focus gets an error', async () => {
    const page = await pages.open({ session: MINIMAL });
    await fillMinimal(page);
    await page.getByLabel('ZIP code').fill('0');
    await payButton(page).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-zipCode');
  });

  it('tells the browser what each field is, so that it can fill them in', async () => {
    const page = await pages.open({ session: ALL_FIELDS });
    const found = await page
      .locator('input, select')
      .evaluateAll((all) =>
        (all as HTMLInputElement[]).map((one) =>
          `${one.id.slice(6)} ${one.autocomplete} ${one.inputMode}`.trim(),
        ),
      );
    expect(found).toEqual([
      'number cc-number numeric',
      'expiry cc-exp numeric',
      'cvv cc-csc numeric',
      'name cc-name',
      'countryCode billing country',
      'address billing address-line1',
      'address2 billing address-line2',
      'city billing address-level2',
      'state billing address-level1',
      'zipCode billing postal-code numeric',
      'email email email',
      'phone tel tel',
    ]);
  });

  it.each([
    ['fr-CA', undefined, 'Payer'],
    ['en-US', undefined, 'Pay'],
    ['de-DE', 'fr-CA', 'Payer'],
    ['fr-CA', 'en-US', 'Payer'],
  ])('in a browser in %s, for a merchant in %s, begins with "%s"', async (locale, merchant, text) => {
    const page = await pages.blank({ locale, session: { ...MINIMAL, locale: merchant ?? 'en-US' } });
    await page.goto(pages.stub.address);
    await expectPart(page.getByRole('button', { name: new RegExp(`^${text} `) }));
  });

  it('changes its language, and keeps what was typed', async () => {
    const page = await pages.open({ session: MINIMAL });
    await fillMinimal(page);
    await page.getByRole('button', { name: 'FR Français' }).click();
    await page.getByRole('button', { name: 'Payer 128,40 $' }).waitFor();
    expect(await page.getByLabel('Numéro de carte').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.title()).toBe('Payer Maple Books');
    expect(page.url()).toContain('lang=en');
  });
});
