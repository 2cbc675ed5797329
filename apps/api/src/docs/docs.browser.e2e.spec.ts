import type { Browser } from 'playwright-core';
import { startBrowser } from '@tillstream/browser-testing';
import { startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await startTestApi();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

describe('The reference in a browser', () => {
  it.each([360, 375, 544, 1_280])('is as wide as its window: %s', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(`${api.running.origin}/docs`);
    await page.getByText('/transactions/physical-sale', { exact: true }).waitFor({ timeout: 30_000 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const link = await page.getByRole('link', { name: 'openapi.json' }).first().boundingBox();
    expect(link && link.x + link.width).toBeLessThan(width);
    await page.close();
  });
});
