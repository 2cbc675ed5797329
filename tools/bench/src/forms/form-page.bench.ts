import { startBrowser } from '@tillstream/browser-testing';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { VIRTUAL_SALE, WITHOUT_SUBMISSION_LIMITS } from './form-sales.bench.js';
import { startApi, USUAL_SETTINGS, USUAL_SETTINGS_TEXT, type ApiService } from '../services/http.services.js';
import { spread } from '../report/rounds.statistics.js';
import { postJson } from '../load/sale.load.js';

export const formPageBench: Bench = {
  name: 'form-page',
  title: 'The hosted form in a browser',
  method:
    `Chromium on the same machine opens a form of a service with the settings of \`npm start\` (${USUAL_SETTINGS_TEXT}), ` +
    `each time with an empty cache. "Ready" is the time from the navigation until the card number can be typed; the bytes are ` +
    `those of all responses with their headers. "Result" is the time from the click on Pay until the result is ` +
    `shown; the simulated processor answers at once.`,
  run,
};

interface Visit {
  readonly readyMs: number;
  readonly bytes: number;
  readonly resultMs: number;
}

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const rounds = quick ? 1 : 9;
  const api = await startApi(folder, 0, { settings: { ...USUAL_SETTINGS, ...WITHOUT_SUBMISSION_LIMITS } });
  let browser: Browser | undefined;
  try {
    browser = await startBrowser();
    const visits: Visit[] = [];
    for (let round = 0; round <= rounds; round++) {
      const visit = await payInBrowser(browser, await openForm(api));
      // The first one fills the caches of the browser's own files.
      if (round > 0) visits.push(visit);
      progress(`visit ${round} of ${rounds}`);
    }
    return [
      {
        name: 'form ready to type',
        ...spread(visits.map(({ readyMs }) => readyMs)),
        unit: 'ms',
        target: { kind: 'at most', value: 1_000 },
        meaning: 'What a customer waits for.',
      },
      {
        name: 'bytes of the form over the wire',
        ...spread(visits.map(({ bytes }) => bytes / 1_000)),
        unit: '',
        detail: 'kB, with an empty cache',
        target: { kind: 'at most', value: 200 },
        meaning: 'Page, script, styles and session.',
      },
      {
        name: 'submission until its result is shown',
        ...spread(visits.map(({ resultMs }) => resultMs)),
        unit: 'ms',
        target: { kind: 'at most', value: 300 },
        meaning: 'Above the time of the processor, which is nothing here.',
      },
    ];
  } finally {
    await browser?.close();
    await api.stop();
  }
}

async function openForm(api: ApiService): Promise<string> {
  const body = { amount: 1250, formConfig: { billingInfoCaptureLevel: 'Minimal' } };
  const { form } = await postJson<{ form: { url: string } }>(api, VIRTUAL_SALE, body);
  return form.url;
}

async function payInBrowser(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US' });
  try {
    const page = await context.newPage();
    const received = countBytes(await context.newCDPSession(page));
    const startedAt = performance.now();
    await page.goto(`${url}?lang=en`, { waitUntil: 'commit' });
    const number = page.getByLabel('Card number');
    await number.fill('4');
    const readyMs = performance.now() - startedAt;
    await page.waitForLoadState('networkidle');
    const bytes = received();
    return { readyMs, bytes, resultMs: await pay(page) };
  } finally {
    await context.close();
  }
}

/** Returns ms from the click until the result. */
async function pay(page: Page): Promise<number> {
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel('Expiry date').fill('1230');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('ZIP code').fill('02139');
  const startedAt = performance.now();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByLabel('Card number').waitFor({ state: 'detached' });
  return performance.now() - startedAt;
}

/** Counts the bytes of all responses, with their headers, as they come over the wire. */
function countBytes(session: CDPSession): () => number {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  void session.send('Network.enable');
  return () => bytes;
}
