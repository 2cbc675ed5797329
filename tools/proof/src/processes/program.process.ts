import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Deployment, Environment } from '../support/deployment.js';
import { poll } from '../support/concurrency.js';

const LOG_CHARACTERS = 20_000;
/** A dozen processes may start at once on a small machine. */
const READY_TIMEOUT_MS = 150_000;
const POLL_MS = 25;
const STOP_TIMEOUT_MS = 15_000;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  /** Added to the settings of the deployment. */
  readonly environment?: Environment;
  /** Receives all of stdout and stderr. Without it, stdout is discarded. */
  onOutput?(chunk: Buffer): void;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A built program on the data directory of a deployment. It is killed when this process ends. */
export class ProgramProcess {
  readonly exit: Promise<Exit>;
  private readonly child: ChildProcess;
  private log = '';

  /** @param path of the program, from the root of the repository */
  constructor(
    path: string,
    { dataDir, environment: shared }: Deployment,
    { args = [], environment = {}, onOutput }: ProgramOptions = {},
  ) {
    const program = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
    if (!existsSync(program)) throw new Error(`${program} is missing: build first (npm run build)`);
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [program, ...args], {
      // A .env file in the current directory of the proof must not be read.
      cwd: dataDir,
      env: { PATH, ...shared, ...environment },
      stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
    });
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => onOutput?.(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      onOutput?.(chunk);
      this.log = (this.log + chunk.toString()).slice(-LOG_CHARACTERS);
    });
    running.add(child);
    this.exit = new Promise((resolve) =>
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      }),
    );
  }

  /** Undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get logged(): string {
    return this.log;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    this.signal(signal);
    return this.exit;
  }

  /** Kills it if an orderly stop takes too long. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    if ((await this.exitWithin(STOP_TIMEOUT_MS)) === undefined) await this.kill();
  }

  async exitWithin(ms: number): Promise<Exit | undefined> {
    return Promise.race([this.exit, setTimeout(ms, undefined, { ref: false })]);
  }

  /** Whether `isSo` becomes true while the process runs. */
  protected async comesTo(isSo: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
    const result = await poll(
      async () => (this.running ? await isSo() : undefined),
      (so) => so !== false,
      timeoutMs,
      POLL_MS,
    );
    return result === true;
  }

  /** Rejects with the end of the log if the process ends before it is ready, or takes too long. */
  protected async untilReady(name: string, isReady: () => boolean | Promise<boolean>): Promise<void> {
    if (await this.comesTo(isReady, READY_TIMEOUT_MS)) return;
    const why = this.running ? `was not ready within ${READY_TIMEOUT_MS} ms` : 'ended before it was ready';
    throw new Error(`the ${name} ${why}:\n${this.logged}`);
  }
}

/** The status and text of a GET. Status 0 means that there was no answer. */
export async function get(url: string): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}
