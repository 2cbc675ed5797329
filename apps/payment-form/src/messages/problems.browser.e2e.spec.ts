import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormMessage, FormSession } from '@tillstream/contracts';
import type { Frame, Page } from 'playwright-core';
import { fillMinimal, FormPages } from '../testing/form.page.js';
import { ACH, EFT, MINIMAL } from '../testing/sessions.fixture.js';
import { challenged, declined, error, type Behaviour } from '../testing/stub.service.js';

let pages: FormPages;
let shop: Server;
let origin: string;
beforeAll(async () => {
  pages = await FormPages.start();
  shop = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<script>received = []; onmessage = ({ data }) => received.push(data);</script>
      <iframe src="${pages.stub.address}?lang=en" width="400" height="900"></iframe>`);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await pages.stop();
  await new Promise((resolve) => shop.close(resolve));
});
afterEach(async () => assert.deepEqual(await pages.close(), []));

interface Provoked {
  readonly session?: Partial<FormSession>;
  readonly behaviours?: readonly Behaviour[];
  /** Runs in the page of the form before it is loaded. */
  readonly script?: string;
  readonly act?: (form: Frame, page: Page) => Promise<void>;
}

const submit = (form: Frame): Promise<void> => form.locator('button.primary').click();
async function pay(form: Frame): Promise<void> {
  await fillMinimal(form as unknown as Page);
  await submit(form);
}
async function payFromBank(form: Frame): Promise<void> {
  const values = [
    'routingNumber',
    'institutionNumber',
    'transitNumber',
    'accountNumber',
    'name',
    'address',
    'city',
  ];
  const numbers: Readonly<Record<string, string>> = {
    routingNumber: '110000000',
    institutionNumber: '000',
    transitNumber: '11000',
    accountNumber: '000123456789',
  };
  for (const field of values) {
    const input = form.locator(`#field-${field}`);
    if ((await input.count()) > 0) await input.fill(numbers[field] ?? 'Maple');
  }
  for (const field of ['accountType', 'state']) {
    const select = form.locator(`#field-${field}`);
    if ((await select.count()) > 0) await select.selectOption({ index: 1 });
  }
  const isCanadian = (await form.locator('#field-transitNumber').count()) > 0;
  await form.locator('#field-zipCode').fill(isCanadian ? 'K1A 0B1' : '02139');
  await submit(form);
}
const CONTACT: Partial<FormSession> = {
  formConfig: { ...MINIMAL.formConfig, piiFields: ['Email'] },
};

const ROWS: readonly (readonly [number, string, Provoked])[] = [
  [6200, 'wrong card fields', { act: submit }],
  [6300, 'wrong fields of a US bank account', { session: ACH, act: submit }],
  [6700, 'wrong fields of a Canadian bank account', { session: EFT, act: submit }],
  [6700, 'wrong contact fields', { session: CONTACT, act: submit }],
  [6701, 'a wrong billing address', { act: submit }],
  [
    6201,
    'a card that could not be stored',
    { session: { type: 'TokenCreate' }, behaviours: [error(500, { code: 3203 })], act: pay },
  ],
  [6202, 'card fields that could not be shown', { script: 'Intl.DisplayNames = undefined' }],
  [
    6001,
    'fields of a bank account that could not be shown',
    { session: ACH, script: 'Intl.DisplayNames = undefined' },
  ],
  [
    6301,
    'a payment from a US account that failed',
    { session: ACH, behaviours: [declined(50, 6901)], act: payFromBank },
  ],
  [
    6400,
    'a payment from a Canadian account that failed',
    { session: EFT, behaviours: [declined(14)], act: payFromBank },
  ],
  ...([6800, 6801, 6802, 6900, 6901, 6902] as const).map((code): readonly [number, string, Provoked] => [
    code,
    'an attempt that failed, with attempts left',
    { behaviours: [declined(10, code)], act: pay },
  ]),
];

async function opened({ session, behaviours = [], script }: Provoked, clock = false): Promise<[Page, Frame]> {
  const page = await pages.blank({
    session: { ...MINIMAL, useJavaScriptCallback: true, messageOrigins: [origin], ...session },
    clock,
  });
  pages.stub.behaviours.push(...behaviours);
  if (script !== undefined) await page.addInitScript(script);
  await page.goto(origin);
  const form = page.frames()[1];
  if (!form) throw new Error('the page has no iframe');
  await form.locator('button.primary').waitFor();
  return [page, form];
}

async function untilReported(page: Page, code: number): Promise<FormMessage> {
  await page.waitForFunction(
    (wanted) =>
      (window as unknown as { received: FormMessage[] }).received.some((one) => one.code === wanted),
    code,
  );
  const received = await page.evaluate<FormMessage[]>('received');
  const found = received.find((one) => one.code === code);
  if (!found) throw new Error('it was received');
  return found;
}

describe('The page that embeds the form gets the code', () => {
  it.each(ROWS)('%i of %s', async (code, _, provoked) => {
    const [page, form] = await opened(provoked);
    await provoked.act?.(form, page);
    const { transactionId, referenceId, paymentMethodType } = pages.stub.session;
    expect(await untilReported(page, code)).toEqual({
      source: 'payment-form',
      type: 'error',
      code,
      transactionId,
      referenceId,
      paymentMethodType,
    });
    expect((await page.evaluate<FormMessage[]>('received')).map(({ type }) => type)).not.toContain('failed');
  });

  it('6600 of a bank whose page does not load', async () => {
    const [page, form] = await opened({ behaviours: [challenged] }, true);
    pages.stub.bank = 'silent';
    await pay(form);
    await form.locator('dialog').waitFor();
    await page.clock.runFor(15_100);
    expect(await untilReported(page, 6600)).toMatchObject({ type: 'error', paymentMethodType: 'Virtual' });
  });
});
