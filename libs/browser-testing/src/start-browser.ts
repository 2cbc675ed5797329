import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type LaunchOptions } from 'playwright-core';

const DEBIAN = '/usr/bin/chromium';
/** On a busy machine; playwright's default is 30 s. */
const START_TIMEOUT_MS = 80_000;

/** A real browser for specs of pages: Debian's, or the one that CHROMIUM names. Nothing is downloaded. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch(options());
}

/** The same with a profile on disk, as a customer's browser has it. */
export async function startProfile(directory: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(directory, options());
}

function options(): LaunchOptions {
  const executablePath = process.env.CHROMIUM ?? DEBIAN;
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no browser at ${executablePath}: apt-get install chromium, or set CHROMIUM to one`,
    );
  }
  // In a container there is no sandbox for it to make, and no shared memory worth the name.
  return { executablePath, timeout: START_TIMEOUT_MS, args: ['--no-sandbox', '--disable-dev-shm-usage'] };
}
