import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';
import { newDirectory, removeDirectory } from './directories.js';

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

/**
 * They have to pass before it can be said that nothing was found late. What was received before a close can be executed a
 * deadline and a broken word's delay after it, so the last look comes later than that.
 */
export const SHORT_LATE_CHECKS = { LATE_CHECKS_MS: '500,3500' } as const;

export type Environment = Readonly<Record<string, string>>;

/** A data directory, and how the processes on it are configured. */
export interface Site {
  readonly dataDir: string;
  /** Where the acquirer's books are, when it is a process of its own; left out: in `dataDir`. */
  readonly acquirerDir?: string;
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
  const dataDir = given ?? newDirectory('proof');
  return {
    dataDir,
    environment: {
      ...SHORT_TIMINGS,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_SECOND: '0',
      // A proof that is about it starts it.
      SETTLEMENT_PROJECTOR: 'elsewhere',
      SANDBOX_TERMINALS: String(terminals),
      ...environment,
    },
    remove: () => removeDirectory(dataDir),
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

/** Below them the system takes no port for an outgoing connection (`net.ipv4.ip_local_port_range`), and few services listen. */
const PORTS = { from: 15_000, to: 32_000 } as const;
const TRIES = 100;
const given = new Set<number>();

/**
 * The same port over all restarts of a process, so that its clients need not look for it. Drawn by lot and given once: a
 * port that the system itself would give is taken by somebody's connection while its process is down.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`none of ${TRIES} ports from ${PORTS.from} to ${PORTS.to} was free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
