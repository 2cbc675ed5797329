import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { MINIMAL } from '../testing/sessions.fixture.js';
import { approved, challenged, declined, type Behaviour } from '../testing/stub.service.js';

let pages: FormPages;
beforeAll(async () => (pages = await FormPages.start()));
afterAll(() => pages.stop());
afterEach(async () => assert.deepEqual(await pages.close(), []));

const title = (page: Page) => page.getByRole('heading', { name: 'Your bank verifies this payment' });
const bank = (page: Page) => page.frameLocator('.challenge iframe');
const done = (page: Page) => bank(page).getByRole('button', { name: 'Done' });

/** The page with an open challenge, after a submission. */
async function verifying(options: { clock?: boolean } = {}, ...after: Behaviour[]): Promise<Page> {
  const page = await pages.open({ session: MINIMAL, ...options });
  pages.stub.behaviours.push(challenged, ...after);
  await fillMinimal(page, { number: '4000000000003220' });
  await payButton(page).click();
  await title(page).waitFor();
  return page;
}

describe('The page of the customer’s bank', () => {
  it('is shown over the form, and the payment goes on with the security code when it is done', async () => {
    const page = await verifying({}, approved);
    await expectPart(page.locator('dialog').getByText('Time left'));
    expect(await page.locator('.challenge iframe').getAttribute('title')).toBe('Page of your bank');
    await done(page).click();
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.challenges).toEqual([{ cvv: '123' }]);
    expect(pages.stub.submissions).toHaveLength(1);
  });

  it('comes back after the page was loaded again, and the payment goes on without a security code', async () => {
    const page = await verifying();
    pages.stub.behaviours.push(approved);
    await page.reload();
    await title(page).waitFor();
    await done(page).click();
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.challenges).toEqual([{}]);
  });

  it('is not needed: the service is asked every 5 seconds', async () => {
    const page = await verifying({ clock: true });
    const firstAnswer = page.waitForResponse((response) => response.url().endsWith('/challenge'));
    await page.clock.runFor(5_100);
    // The page's clock does not move the network: an approval before this answer would be the first one.
    await firstAnswer;
    await title(page).waitFor();
    approved(pages.stub);
    await page.clock.runFor(5_000);
    await expectScreen(page, 'Payment complete');
    expect(pages.stub.challenges).toEqual([{ cvv: '123' }, { cvv: '123' }]);
  });

  it.each([
    [6800, 17, 'The bank could not verify that this is your card.'],
    [6801, 50, 'Your bank could not be reached to verify the card.'],
    [6802, 16, 'This card cannot be verified online'],
    [6900, 10, 'The bank declined the card.'],
  ])(
    'with the end %i, %i says what the customer can do, and keeps what was entered',
    async (code, answer, text) => {
      const page = await verifying({}, declined(answer, code));
      await done(page).click();
      await expectPart(page.getByRole('alert').filter({ hasText: text }));
      await expectPart(page.getByRole('alert').filter({ hasText: 'You can try 4 more times.' }));
      expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 3220');
      expect(await page.getByLabel('Security code').inputValue()).toBe('');
      expect(await page.locator('dialog').count()).toBe(0);
      await page.getByLabel('Security code').fill('321');
      await payButton(page).click();
      await expectScreen(page, 'Payment complete');
    },
  );

  it('is believed only if it is that page: a message of another window changes nothing', async () => {
    const page = await verifying();
    await page.evaluate(`postMessage({ source: 'three-ds', type: 'done' }, '*')`);
    await bank(page)
      .locator('main')
      .evaluate(() => parent.postMessage({ source: 'three-ds', type: 'other' }, location.origin));
    await page.waitForTimeout(100);
    expect(pages.stub.challenges).toEqual([]);
  });

  it('that does not load can be loaded again', async () => {
    const page = await pages.open({ session: MINIMAL, clock: true });
    pages.stub.bank = 'silent';
    pages.stub.behaviours.push(challenged, challenged, challenged, challenged, approved);
    await fillMinimal(page);
    await payButton(page).click();
    await title(page).waitFor();
    await page.clock.runFor(15_100);
    await expectPart(page.getByRole('alert').filter({ hasText: 'The page of your bank does not load' }));
    pages.stub.bank = 'up';
    await page.getByRole('button', { name: 'Load it again' }).click();
    await done(page).click();
    await expectScreen(page, 'Payment complete');
  });
});

describe('The overlay', () => {
  const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave the verification?' });

  it('has the focus, and nothing behind it can be reached', async () => {
    const page = await verifying();
    await expectFocus(page, '#challenge-title');
    const reached = new Set<string>();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const { activeElement: element } = document;
          return element?.closest('dialog') || element === document.body ? 'dialog' : 'behind';
        }),
      );
    }
    expect([...reached]).toEqual(['dialog']);
  });

  it('is not closed by Escape without a question, however often it is pressed', async () => {
    const page = await verifying();
    for (const shown of [1, 0, 1, 0, 1]) {
      await page.keyboard.press('Escape');
      await page.waitForFunction(
        (count) => document.querySelectorAll('[role=alertdialog]').length === count,
        shown,
      );
      // A browser may close the dialog at the second Escape in any case; the page opens it again at once.
      await page.locator('dialog[open]').waitFor();
    }
    await page.getByRole('button', { name: 'Continue the verification' }).click();
    expect(await question(page).count()).toBe(0);
    expect(await page.locator('dialog[open] iframe').count()).toBe(1);
  });

  it('can be left and opened again; the payment still goes on when the bank is done', async () => {
    const page = await verifying();
    await page.getByRole('button', { name: 'Leave the verification' }).click();
    await question(page).getByRole('button', { name: 'Leave the verification' }).click();
    await expectScreen(page, 'Verification not finished');
    await expectPart(page.getByText('Nothing was charged.'));
    await page.getByRole('button', { name: 'Continue the verification' }).click();
    await title(page).waitFor();
    pages.stub.behaviours.push(approved);
    await done(page).click();
    await expectScreen(page, 'Payment complete');
  });
});

describe('In an iframe of the merchant', () => {
  let shop: Server;
  let origin: string;
  beforeAll(async () => {
    shop = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<script>received = [];
        onmessage = ({ data }) => {
          received.push(data);
          if (data.height) document.querySelector('iframe').height = data.height;
        };
        </script><iframe src="${pages.stub.address}?lang=en" width="360" height="300"></iframe>`);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  });
  afterAll(() => shop.close());

  it('the overlay fills the iframe, and the merchant gets the codes of errors', async () => {
    const session: Partial<FormSession> = {
      ...MINIMAL,
      useJavaScriptCallback: true,
      messageOrigins: [origin],
    };
    const page = await pages.blank({ session });
    await page.goto(origin);
    const form = page.frameLocator('iframe');
    const pay = form.getByRole('button', { name: /^Pay/ });
    await pay.click();
    pages.stub.behaviours.push(challenged, declined(17, 6800));
    await fillMinimal(form as unknown as Page);
    await pay.click();
    const dialog = form.locator('dialog');
    await dialog.waitFor();
    await page.waitForFunction(() => document.querySelector('iframe')!.clientHeight > 500);
    const box = await dialog.boundingBox();
    const frame = await page.locator('iframe').boundingBox();
    expect(Math.abs((box?.width ?? 0) - (frame?.width ?? 0))).toBeLessThan(20);
    expect(box?.height).toBeGreaterThan(400);
    await done(form as unknown as Page).click();
    await form.getByRole('alert').waitFor();
    await page.waitForFunction('received.some(({ code }) => code === 6800)');
    const codes = await page.evaluate<number[]>(
      `received.filter(({ type }) => type === 'error').map(({ code }) => code)`,
    );
    expect(codes).toEqual([6200, 6701, 6800]);
  });
});
