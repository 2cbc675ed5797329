import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';

/**
 * Deadlines that a proof can wait for, ms. Long enough that a busy machine keeps them mostly: a missed one is no error,
 * but shows less.
 */
export const SHORT_TIMINGS = {
  SEND_WITHIN_MS: '1000',
  PROCESSOR_DEADLINE_MS: '600',
  TERMINAL_DEADLINE_MS: '600',
  INQUIRY_MARGIN_MS: '200',
  INQUIRY_STEPS_MS: '200,300,500,1000',
  INQUIRY_EVERY_MS: '1000',
  LATE_CHECKS_MS: '1000,3000,6000',
  SANDBOX_BROKEN_WORD_DELAY_MS: '2000',
} as const;

/** From the request to the resolver's first look, with `SHORT_TIMINGS`. */
export const FIRST_INQUIRY_MS = 1_800;

export type Environment = Readonly<Record<string, string>>;

/** A data directory, and how the processes on it are configured. */
export interface Site {
  readonly dataDir: string;
  readonly environment: Environment;
  remove(): void;
}

export interface SiteOptions {
  readonly terminals: number;
  readonly environment?: Environment;
  /** Left out: a new directory among the system's temporary ones. */
  readonly dataDir?: string;
}

export function newSite({ terminals, environment = {}, dataDir: given }: SiteOptions): Site {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'tillstream-proof-'));
  return {
    dataDir,
    environment: {
      ...SHORT_TIMINGS,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_SECOND: '0',
      SANDBOX_TERMINALS: String(terminals),
      ...environment,
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** What the service wrote for whoever tries it: there once it was ready the first time. */
export function factsOf({ dataDir }: Site): SandboxFacts {
  return JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFacts;
}

/** One for each request in flight: a terminal does one thing at a time. */
export function terminalsOf(site: Site): string[] {
  return factsOf(site)
    .paymentMethods.filter(({ type, currency }) => type === 'Physical' && currency === 'USD')
    .map(({ id }) => id);
}

/** The same port over all restarts of a process, so that its clients need not look for it. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
