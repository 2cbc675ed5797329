import { rmSync } from 'node:fs';
import { startBrowser } from '@tillstream/browser-testing';
import type { Browser, Page } from 'playwright-core';
import { emptyDirectory, ServiceProcess } from '../../testing/service.process.js';

let service: ServiceProcess;
let browser: Browser;
beforeAll(async () => {
  service = await new ServiceProcess(emptyDirectory(), { WEBHOOK_DISPATCHER: 'beside' }).started();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
  rmSync(service.dataDir, { recursive: true, force: true });
});

const troubles: string[] = [];
let page: Page;
beforeAll(async () => {
  page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
});

const deliveries = () => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');

describe('The endpoint tester, with the dispatcher beside the API,', () => {
  it('shows a delivery as it arrives: its type, its signature, its headers and its body', async () => {
    await page.goto(`${new URL(service.facts.baseUrl).origin}/sandbox/webhooks`);
    await page.getByRole('status').filter({ hasText: 'receives at' }).waitFor();
    expect(await deliveries().count()).toBe(0);
    await service.sell({ amount: 1_250, referenceId: 'tester-1' });
    await deliveries().filter({ hasText: 'sale.completed' }).waitFor();
    const shown = deliveries().first();
    expect(await shown.locator('summary').innerText()).toMatch(/Signature verified\s+answered 200/);
    await shown.locator('summary').click();
    expect(await shown.getByLabel('Headers').innerText()).toMatch(
      /hook-id: msg_\w+[^]*webhook-signature: v1,/,
    );
    expect(await shown.getByLabel('Body').innerText()).toContain('"referenceId": "tester-1"');
  });

  it('answers 503 on demand, and shows the next attempt of the same message', async () => {
    await page.getByLabel('503: deliver again later').check();
    await service.sell({ amount: 700, referenceId: 'tester-2' });
    await deliveries().nth(1).waitFor();
    expect(await deliveries().first().innerText()).toContain('answered 503');
    await page.getByLabel('200: delivered').check();
    await deliveries().filter({ hasText: 'attempt 2' }).waitFor();
    expect(await deliveries().first().innerText()).toContain('answered 200');
  });

  it('keeps what it received while the page is loaded again, and fits on a phone', async () => {
    await page.reload();
    await deliveries().nth(2).waitFor();
    expect(await deliveries().count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Receive webhooks' }).isVisible()).toBe(false);
    expect(await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')).toEqual([360, 360]);
  });

  it('shows a delivery with the signature of another sender as not verified, and answers 400', async () => {
    const origin = new URL(service.facts.baseUrl).origin;
    const forged = await fetch(`${origin}/sandbox/webhooks/receive`, {
      method: 'POST',
      headers: { 'hook-id': 'msg_1', 'hook-timestamp': '1', 'hook-signature': 'v1,abc' },
      body: '{"event":"<img src=x onerror=alert(1)>"}',
    });
    expect(forged.status).toBe(400);
    const shown = deliveries().filter({ hasText: 'Wrong signature' });
    await shown.waitFor();
    await shown.locator('summary').click();
    expect(await shown.getByLabel('Body').innerText()).toContain('<img src=x onerror=alert(1)>');
  });

  it('breaks no rule of its content security policy and has no error of a script', () => {
    expect(troubles).toEqual([]);
  });
});
