import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { FormSession } from '@tillstream/contracts';
import type { Page } from 'playwright-core';
import {
  expectFocus,
  expectPart,
  expectScreen,
  fillMinimal,
  FormPages,
  payButton,
} from '../testing/form.page.js';
import { ACH, EFT, MINIMAL } from '../testing/sessions.fixture.js';
import { challenged, declined } from '../testing/stub.service.js';

let pages: FormPages;
beforeAll(async () => (pages = await FormPages.start()));
afterAll(() => pages.stop());
afterEach(async () => assert.deepEqual(await pages.close(), []));

/** What axe finds, as `rule: element`. @param rules left out: all */
async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`),
  );
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

async function challenge(page: Page): Promise<void> {
  pages.stub.behaviours.push(challenged);
  await sent(page);
  await page.frameLocator('.challenge iframe').getByRole('button').waitFor();
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
  ['a form for US bank accounts', ACH, (page) => page.locator('button.primary').click()],
  ['a form for Canadian bank accounts', EFT, (page) => page.locator('button.primary').click()],
  [
    'a payment that a bank decides',
    { ...ACH, status: 'Processing', resultCode: 0, responseCode: 57 },
    nothing,
  ],
  ['the page of a bank over the form', MINIMAL, challenge],
  [
    'the question before the page of a bank is left',
    MINIMAL,
    async (page) => {
      await challenge(page);
      await page.locator('.challenge-leave').click();
    },
  ],
  [
    'a challenge that was left',
    MINIMAL,
    async (page) => {
      await challenge(page);
      await page.locator('.challenge-leave').click();
      await page.locator('.leave-question .quiet').click();
    },
  ],
];

/** The page is drawn without transitions (`prefers-reduced-motion`), so the next frame has the final colours. */
async function inDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Also in a dialog, behind which it can't be reached. */
async function speakFrench(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('.languages [lang=fr]').click()`);
  await page.waitForFunction(() => document.documentElement.lang === 'fr');
}

describe('On each screen,', () => {
  it.each(SCREENS)(
    'axe finds nothing, and the colours of both schemes contrast: %s',
    async (_, session, act) => {
      const page = await pages.open({ session, colorScheme: 'light' });
      await act(page);
      await page.evaluate(axe.source);
      expect(await findings(page)).toEqual([]);
      await speakFrench(page);
      await inDark(page);
      expect(await findings(page, ['color-contrast'])).toEqual([]);
    },
  );
});

describe('At 320, 390 and 1280 pixels', () => {
  it.each([
    ['a form for cards', ALL_FIELDS],
    ['a form for US bank accounts', ACH],
    ['a form for Canadian bank accounts', EFT],
  ])('nothing scrolls sideways, in both languages: %s', async (_, session) => {
    const page = await pages.open({ session });
    await page.locator('button.primary').click();
    await page.locator('#field-zipCode-error').waitFor();
    const widths = [320, 390, 1280];
    const scrolled = async (): Promise<number[]> => {
      const found: number[] = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        found.push(await scrollWidth(page));
      }
      return found;
    };
    expect(await scrolled()).toEqual(widths);
    await speakFrench(page);
    expect(await scrolled()).toEqual(widths);
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
    await expectFocus(page, '[type=submit]');
    await page.keyboard.press('Enter');
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.submissions[0]?.body).toEqual({
      card: { number: '378282246310005', expDate: '1230', cvv: '1234' },
      billingContact: { countryCode: 'CA', zipCode: 'k1a 0b1' },
    });
    // A screen reader continues at the result.
    await expectFocus(page, 'h1');
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
    await expectFocus(page, '#field-zipCode');
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
