import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormMessage, FormSession } from '@tillstream/contracts';
import type { Frame, Page } from 'playwright-core';
import { cancelButton, fillMinimal, FormPages, payButton } from '../testing/form.page.js';
import { MINIMAL } from '../testing/sessions.fixture.js';
import { declined } from '../testing/stub.service.js';

let pages: FormPages;
let shop: Server;
let shopOrigin: string;
beforeAll(async () => {
  pages = await FormPages.start();
  // The merchant's page: on another origin, with the form in an iframe, and it keeps every message.
  shop = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<script>received = []; onmessage = ({ data, origin }) => received.push({ ...data, origin });</script>
       <iframe src="${pages.stub.address}?lang=en" width="400" height="300"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopOrigin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await pages.stop();
  await new Promise((resolve) => shop.close(resolve));
});
afterEach(async () => assert.deepEqual(await pages.close(), []));

type Received = FormMessage & { readonly origin: string };
const received = (page: Page): Promise<Received[]> => page.evaluate('received');

async function embedded(session: Partial<FormSession>): Promise<{ page: Page; form: Frame }> {
  const page = await pages.blank({ session: { ...MINIMAL, useJavaScriptCallback: true, ...session } });
  await page.goto(shopOrigin);
  const form = page.frames()[1];
  if (!form) throw new Error('the page has no iframe');
  await form.getByRole('button', { name: 'Cancel' }).waitFor();
  return { page, form };
}

describe('The page that embeds the form', () => {
  it('gets its height, and the result', async () => {
    const { page, form } = await embedded({ messageOrigins: [shopOrigin] });
    await page.waitForFunction("received.some(({ type }) => type === 'resize')");
    const [first] = await received(page);
    const height = await form.locator('#page').evaluate((page) => page.getBoundingClientRect().height);
    expect(first).toEqual({
      source: 'payment-form',
      type: 'resize',
      height: Math.ceil(height),
      origin: pages.stub.origin,
    });
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForFunction("received.some(({ type }) => type === 'cancelled')");
    expect((await received(page)).find(({ type }) => type === 'cancelled')).toEqual({
      source: 'payment-form',
      type: 'cancelled',
      transactionId: pages.stub.session.transactionId,
      referenceId: pages.stub.session.referenceId,
      status: 'Cancelled',
      resultCode: 55,
      origin: pages.stub.origin,
    });
  });

  it('gets another height, an error and no result when an attempt fails that is not the last', async () => {
    const { page, form } = await embedded({ messageOrigins: [shopOrigin] });
    const before = (await received(page)).length;
    pages.stub.behaviours.push(declined(10));
    await fillMinimal(form as unknown as Page);
    await payButton(form as unknown as Page).click();
    await form.getByRole('alert').waitFor();
    await page.waitForFunction(`received.length > ${before + 1}`);
    expect(new Set((await received(page)).map(({ type }) => type))).toEqual(new Set(['resize', 'error']));
  });

  it.each([
    ['is no origin that the merchant allows', { messageOrigins: ['http://127.0.0.1:1'] }],
    ['did not ask for messages', { useJavaScriptCallback: false }],
  ])('gets nothing if it %s', async (_, session) => {
    const { page, form } = await embedded({ messageOrigins: [shopOrigin], ...session });
    await cancelButton(form as unknown as Page).click();
    await form.getByRole('heading', { name: 'Cancelled' }).waitFor();
    await page.waitForTimeout(300);
    expect(await received(page)).toEqual([]);
  });
});
