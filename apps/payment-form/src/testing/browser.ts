import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const DEBIAN = '/usr/bin/chromium';

/** Debian's browser, or the one that CHROMIUM names. Nothing is downloaded. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? DEBIAN;
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no browser at ${executablePath}: apt-get install chromium, or set CHROMIUM to one`,
    );
  }
  // A container has no sandbox and little shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
