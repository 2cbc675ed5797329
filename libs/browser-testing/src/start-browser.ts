import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type LaunchOptions } from 'playwright-core';

const WHOLE = '/usr/bin/chromium';
/** The same engine without the windows of a desktop, which take a third more processor time. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell';
/** On a busy machine; playwright's default is 30 s. */
const START_TIMEOUT_MS = 80_000;

/** A real browser for specs of pages: Debian's, or the one that CHROMIUM names. Nothing is downloaded. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch(options(existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : WHOLE));
}

/** The same with a profile on disk, as a customer's browser has it: a whole browser writes more into it. */
export async function startProfile(directory: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(directory, options(WHOLE));
}

function options(debian: string): LaunchOptions {
  const executablePath = process.env.CHROMIUM ?? debian;
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no browser at ${executablePath}: apt-get install chromium, or set CHROMIUM to one`,
    );
  }
  // In a container there is no sandbox for it to make, and no shared memory worth the name.
  return { executablePath, timeout: START_TIMEOUT_MS, args: ['--no-sandbox', '--disable-dev-shm-usage'] };
}
