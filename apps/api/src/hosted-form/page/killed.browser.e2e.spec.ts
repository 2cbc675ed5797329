import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { ListPage, TransactionResult } from '@tillstream/contracts';
import type { Page } from 'playwright-core';
import { pay, showsScreen } from '../../testing/card.form.js';
import { freePort } from '../../testing/free.port.js';
import { movementsOf } from '../../testing/sandbox.ledger.js';
import { emptyDirectory, ServiceProcess } from '../../testing/service.process.js';
import { WatchedBrowser } from '../../testing/watched.browser.js';

const FAST = { SEND_WITHIN_MS: '1000', PROCESSOR_DEADLINE_MS: '300', INQUIRY_MARGIN_MS: '100' };
const AMOUNT = 1_250;

let browser: WatchedBrowser;
beforeAll(async () => (browser = await WatchedBrowser.start()));
afterAll(() => browser?.stop());

let dataDir: string;
let settings: Record<string, string>;
let running: ServiceProcess[];
beforeEach(async () => {
  dataDir = emptyDirectory();
  settings = { ...FAST, PORT: String(await freePort()) };
  running = [];
});
afterEach(async () => {
  for (const { process: one } of running) one.kill('SIGKILL');
  assert.deepEqual(await browser.closePages(), []);
  rmSync(dataDir, { recursive: true, force: true });
});

async function started(more: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = new ServiceProcess(dataDir, { ...settings, ...more });
  running.push(service);
  return service.started();
}

async function open({ facts: { baseUrl, apiKey } }: ServiceProcess): Promise<TransactionResult> {
  const reply = await fetch(`${baseUrl}/transactions/virtual-sale`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: AMOUNT, formConfig: { billingInfoCaptureLevel: 'Minimal' } }),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as TransactionResult;
}

async function listed({ facts: { baseUrl, apiKey } }: ServiceProcess, id: string): Promise<string[]> {
  const reply = await fetch(`${baseUrl}/transactions?id=${id}`, { headers: { 'x-api-key': apiKey } });
  const { data } = (await reply.json()) as ListPage<TransactionResult>;
  return data.map(({ status, transactionResponses }) =>
    [status, ...transactionResponses.map(({ responseCode }) => responseCode)].join(' '),
  );
}
const moved = (id: string) => movementsOf(dataDir, id).map(({ kind, amount }) => `${kind} ${amount}`);

/** The customer submits; the service dies at this point of it, and starts again. */
async function killedAt(point: string): Promise<{ page: Page; id: string; service: ServiceProcess }> {
  // The first response is the one that opens the form.
  const nth = point === 'before-response' ? 2 : 1;
  const doomed = await started({ SANDBOX_CRASH_POINT: `${point}:${nth}` });
  const { id, form } = await open(doomed);
  const page = await browser.page();
  await page.goto(`${form?.url}?lang=en`);
  await pay(page);
  expect(await doomed.end()).toBe('SIGKILL');
  await page.getByText('The connection was lost.').waitFor();
  return { page, id, service: await started() };
}

describe('A service that is killed during a submission and starts again', () => {
  it.each(['after-send', 'before-response'])(
    'shows the approval in the page that waits, and charges once (%s)',
    async (point) => {
      const { page, id, service } = await killedAt(point);
      await showsScreen(page, 'Payment complete');
      expect(await listed(service, id)).toEqual(['Completed 1']);
      expect(moved(id)).toEqual([`Captured ${AMOUNT}`]);
    },
  );

  it('ends the form if it never sent the payment: nothing was charged', async () => {
    const { page, id, service } = await killedAt('after-request');
    await showsScreen(page, 'Not processed');
    await page.getByText('nothing was charged').waitFor();
    expect(await listed(service, id)).toEqual(['Completed 50']);
    expect(moved(id)).toEqual([]);
  });
});
