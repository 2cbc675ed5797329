import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '@tillstream/browser-testing';

const TIMEOUT_MS = 30_000;

/** A browser that notes what its pages complain about. */
export class WatchedBrowser {
  /** Errors of scripts, and violations of a content security policy. */
  readonly troubles: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<WatchedBrowser> {
    return new WatchedBrowser(await startBrowser());
  }

  /** A page of a customer of its own: nothing is shared with other pages. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    this.contexts.push(context);
    return this.tab(context);
  }

  async tab(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('pageerror', (error) => this.troubles.push(error.message));
    page.on('console', (message) => {
      // The browser reports each response with a status of an error.
      const isResponse = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isResponse) this.troubles.push(message.text());
    });
    return page;
  }

  /** Closes all pages, and returns the troubles since the last call. */
  async closePages(): Promise<string[]> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
    return this.troubles.splice(0);
  }

  stop(): Promise<void> {
    return this.browser.close();
  }
}
