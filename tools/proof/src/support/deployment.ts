import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';

/** Deadlines in ms, short enough to wait for. A busy machine may miss one, which is no error. */
const SHORT_TIMINGS = {
  SEND_WITHIN_MS: '1000',
  PROCESSOR_DEADLINE_MS: '600',
  TERMINAL_DEADLINE_MS: '600',
  INQUIRY_MARGIN_MS: '200',
  INQUIRY_STEPS_MS: '200,300,500,1000',
  INQUIRY_EVERY_MS: '1000',
  LATE_CHECKS_MS: '1000,3000,6000',
  SANDBOX_BROKEN_WORD_DELAY_MS: '2000',
};

/**
 * All late inquiries must have passed before a proof can say that nothing was found late. The acquirer can execute a
 * request until its deadline and the late-execution delay after it, so the last inquiry is later.
 */
export const SHORT_LATE_INQUIRIES = { LATE_CHECKS_MS: '500,3500' };

/** Long enough that a busy machine causes no unknown outcome. */
export const longDeadlines = (ms: number): Environment => ({
  SEND_WITHIN_MS: String(ms),
  PROCESSOR_DEADLINE_MS: String(ms),
  TERMINAL_DEADLINE_MS: String(ms),
});

export type Environment = Readonly<Record<string, string>>;

/** Runs a query beside the service. */
export type Rows = <Row>(query: string) => Promise<readonly Row[]>;

/** A data directory, and the settings of the processes on it. */
export interface Deployment {
  readonly dataDir: string;
  /** The database that machines share, if there is one: what is otherwise in files of the data directory is there. */
  readonly database?: Rows;
  /** The acquirer's data directory, if the acquirer is a process of its own. */
  readonly acquirerDir?: string;
  readonly environment: Environment;
  remove(): void;
}

/** @param dataDir left out: a new temporary directory */
export function newDeployment(
  terminals: number,
  environment: Environment = {},
  dataDir = newDirectory('proof'),
): Deployment {
  return {
    dataDir,
    environment: {
      ...SHORT_TIMINGS,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_SECOND: '0',
      // Proofs of batches and of webhooks start them themselves.
      SETTLEMENT_PROJECTOR: 'elsewhere',
      WEBHOOK_DISPATCHER: 'elsewhere',
      SANDBOX_TERMINALS: String(terminals),
      ...environment,
    },
    remove: () => removeDirectory(dataDir),
  };
}

/** Reads the file that the service writes at its first start for users of the sandbox. */
export function sandboxFacts({ dataDir }: Deployment): SandboxFacts {
  return JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFacts;
}

/** A terminal runs one operation at a time, so each request in flight needs its own. The merchant has one more. */
export function terminalIds(deployment: Deployment): string[] {
  return sandboxFacts(deployment)
    .paymentMethods.filter(({ type, currency }) => type === 'Physical' && currency === 'USD')
    .slice(0, Number(deployment.environment['SANDBOX_TERMINALS']))
    .map(({ id }) => id);
}

/** Below the range of outgoing connections (`net.ipv4.ip_local_port_range`). */
const PORTS = { from: 15_000, to: 32_000 } as const;
const ATTEMPTS_MAX = 100;
const given = new Set<number>();

/**
 * A port that a process keeps over restarts. It is outside the ephemeral range: there, an outgoing connection could
 * take it while the process is down.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`none of ${ATTEMPTS_MAX} ports from ${PORTS.from} to ${PORTS.to} was free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

let reportKept: ((line: string) => void) | undefined;

/** From now on directories are kept, and `say` prints their paths. */
export function keepDirectories(say: (line: string) => void): void {
  reportKept = say;
}

export function newDirectory(of: 'proof' | 'acquirer'): string {
  return mkdtempSync(join(tmpdir(), `tillstream-${of}-`));
}

export function removeDirectory(directory: string): void {
  if (reportKept) reportKept(`kept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
}
