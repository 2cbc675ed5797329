import axe, { type AxeResults } from 'axe-core';
import { startBrowser } from '@tillstream/browser-testing';
import type { Browser, Page } from 'playwright-core';
import { busyMonth } from '../month.fixture.js';
import { reportOf } from '../month.report.js';
import { settlementPage } from './settlement.page.js';

const report = reportOf(busyMonth(), '2026-11');
const MARKUP = settlementPage(report, {
  ...{ month: '2026-11', currency: 'USD', timeZone: 'America/New_York', locale: 'en-US' },
  ...{ merchantId: 'mer_01M870JF02P447YWDANQ4XXP00', merchantName: 'Maple Street Books' },
  ...{ asOf: undefined, readAt: '2026-12-01T12:00:00.000Z', differences: ['stl_1: its amount is wrong.'] },
});

let browser: Browser;
beforeAll(async () => (browser = await startBrowser()));
afterAll(() => browser?.close());

async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(60_000);
  await page.setContent(MARKUP);
  return page;
}

/** What axe finds, as `rule: element`. The page's own policy allows no script, so it is run beside the page. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`),
  );
}

describe('The page of a month in a browser', () => {
  it.each(['light', 'dark'] as const)('has no finding of axe, in the %s scheme', async (colorScheme) => {
    const page = await open({ colorScheme });
    expect(await findings(page)).toEqual([]);
    await page.close();
  });

  it.each([320, 390, 768, 1_280])('is as wide as its window of %i pixels', async (width) => {
    const page = await open({ viewport: { width, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.close();
  });

  it('loads nothing, and reports no error', async () => {
    const page = await browser.newPage();
    const [requests, troubles]: [string[], string[]] = [[], []];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => troubles.push(message.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    await page.setContent(MARKUP);
    await page.waitForLoadState('networkidle');
    expect([requests, troubles]).toEqual([[], []]);
    await page.close();
  });

  it('has a chart with a name and a description, and the same figures as a table', async () => {
    const page = await open();
    const image = page.getByRole('img', { name: 'Each day’s sales, refunds, fees and what is paid out' });
    await image.waitFor();
    expect(await image.locator('desc').textContent()).toMatch(/^Settled on 25 of 30 days\. .*“Day by day”/);
    const settled = report.days.filter(({ settlements }) => settlements > 0);
    expect(await page.locator('.chart circle.net').count()).toBe(settled.length);
    const rows = page.getByRole('region', { name: 'Day by day' }).locator('tbody tr');
    expect(await rows.count()).toBe(settled.length);
    await page.close();
  });

  it('can be scrolled with the keyboard where a table is wider than the window', async () => {
    const page = await open({ viewport: { width: 390, height: 800 } });
    const region = page.getByRole('region', { name: 'Settlements', exact: true });
    await region.focus();
    await page.keyboard.press('ArrowRight');
    // A function, not a text: the page's own policy allows no `eval`.
    const scrolled = await page.waitForFunction(
      (element) => element?.scrollLeft,
      await region.elementHandle(),
    );
    expect(await scrolled.jsonValue()).toBeGreaterThan(0);
    await page.close();
  });

  it('is printed in light colours, with nothing cut off', async () => {
    const page = await open({ colorScheme: 'dark', viewport: { width: 1_032, height: 700 } });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    // 273 mm, as A4 has between its margins.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1_032);
    expect((await page.pdf({ preferCSSPageSize: true })).byteLength).toBeGreaterThan(10_000);
    await page.close();
  });
});
