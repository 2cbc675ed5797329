import type { FormSession } from '@tillstream/contracts';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startBrowser } from '@tillstream/browser-testing';
import { StubService } from './stub.service.js';

const TIMEOUT_MS = 30_000;

export interface OpenOptions extends BrowserContextOptions {
  readonly session?: Partial<FormSession>;
  /** `?lang=` */
  readonly lang?: string;
  /** Installed before the page: time passes only as the test says. */
  readonly clock?: boolean;
}

/** A browser and a stub of the service, for the specs of the built page. */
export class FormPages {
  /** Errors of scripts, and violations of the content security policy. */
  readonly troubles: string[] = [];
  private readonly opened: Page[] = [];

  private constructor(
    readonly stub: StubService,
    readonly browser: Browser,
  ) {}

  static async start(): Promise<FormPages> {
    return new FormPages(await StubService.start(), await startBrowser());
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stub.stop();
  }

  /** A new page with this session; the form is not loaded yet. */
  async blank(options: OpenOptions = {}): Promise<Page> {
    const { session, lang: _lang, clock, ...context } = options;
    this.stub.reset(session);
    const made = await this.browser.newContext({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
      ...context,
    });
    const page = await made.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('console', (message) => {
      // The browser reports each call that failed on the network, or with a status of an error.
      const isExpected = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isExpected) this.troubles.push(message.text());
    });
    page.on('pageerror', (error) => this.troubles.push(error.message));
    if (clock) await page.clock.install();
    this.opened.push(page);
    return page;
  }

  /** The form, loaded. */
  async open(options: OpenOptions = {}): Promise<Page> {
    const page = await this.blank(options);
    await page.goto(`${this.stub.address}?lang=${options.lang ?? 'en'}`);
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    await page.locator('.loading').waitFor({ state: 'detached' });
    return page;
  }

  /** @returns the troubles since the last call */
  async close(): Promise<string[]> {
    await Promise.all(this.opened.splice(0).map((page) => page.context().close()));
    return this.troubles.splice(0);
  }
}

export const CARD = { number: '4242424242424242', expiry: '1230', cvv: '123' };

export async function fillCard(page: Page, card: Partial<typeof CARD> = {}): Promise<void> {
  const { number, expiry, cvv } = { ...CARD, ...card };
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill(expiry);
  await page.getByLabel('Security code').fill(cvv);
}

export async function fillMinimal(page: Page, card: Partial<typeof CARD> = {}): Promise<void> {
  await fillCard(page, card);
  await page.getByLabel('ZIP code').fill('02139');
}

export const payButton = (page: Page): Locator => page.getByRole('button', { name: /^Pay/ });
export const cancelButton = (page: Page): Locator => page.getByRole('button', { name: 'Cancel' });

/** Waits until it is there; `attached` for what is for screen readers only. */
export async function expectPart(part: Locator, state: 'visible' | 'attached' = 'visible'): Promise<void> {
  await part.waitFor({ state });
}

/** Waits for the screen with this heading. */
export async function expectScreen(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** Waits until the element of this selector has the focus: the page moves it in a later frame. */
export async function expectFocus(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((expected) => document.activeElement?.matches(expected), selector);
}
