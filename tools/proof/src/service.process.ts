import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment, Site } from './site.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/api/dist/bundled/main.js', import.meta.url));
const READY_WITHIN_MS = 60_000;
const POLL_MS = 25;
/** Of what it logged; the end of it says why it died. */
const LOG_KEPT = 20_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartOptions {
  readonly port: number;
  /** `name:nth` or `name:nth:stop`. */
  readonly crashPoint?: string;
  readonly environment?: Environment;
  /** Told all that it writes to stdout and stderr; left out, stdout goes nowhere. */
  onOutput?(chunk: Buffer): void;
}

const alive = new Set<ChildProcess>();
// Should the driver itself end early, nothing of it stays behind.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** One built API process, as a user starts it. */
export class ServiceProcess {
  readonly ended: Promise<Ended>;
  private log = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    onOutput: (chunk: Buffer) => void = () => undefined,
  ) {
    alive.add(child);
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', (chunk: Buffer) => {
      onOutput(chunk);
      this.log = (this.log + chunk.toString()).slice(-LOG_KEPT);
    });
    this.ended = new Promise((resolve) =>
      child.once('exit', (code, signal) => {
        alive.delete(child);
        resolve({ code, signal });
      }),
    );
  }

  /** Started, and perhaps not ready yet. */
  static spawn(site: Site, { port, crashPoint, environment = {}, onOutput }: StartOptions): ServiceProcess {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build first (npm run build)`);
    const env: Record<string, string> = { ...site.environment, PORT: String(port), ...environment };
    if (process.env['PATH'] !== undefined) env['PATH'] = process.env['PATH'];
    if (crashPoint !== undefined) env['SANDBOX_CRASH_POINT'] = crashPoint;
    // In the data directory: an `.env` of whoever runs the proof must not reach it.
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: site.dataDir,
      env,
      stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
    });
    return new ServiceProcess(child, port, onOutput);
  }

  /** Ready to take payments. Throws with the end of its log where it ends before, or takes too long. */
  static async start(site: Site, options: StartOptions): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(site, options);
    await service.ready();
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Undefined where it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get logged(): string {
    return this.log;
  }

  async ready(withinMs = READY_WITHIN_MS): Promise<void> {
    const until = performance.now() + withinMs;
    while (performance.now() < until) {
      if (!this.running) throw new Error(`the service ended before it was ready:\n${this.log}`);
      if ((await this.health()).status === 200) return;
      await setTimeout(POLL_MS);
    }
    throw new Error(`the service was not ready within ${withinMs} ms:\n${this.log}`);
  }

  /** Status 0: nobody answered. */
  async health(): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const response = await fetch(`${this.origin}/health/ready`, { signal: AbortSignal.timeout(5_000) });
      return { status: response.status, text: await response.text() };
    } catch {
      return { status: 0, text: '' };
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<Ended> {
    this.signal('SIGKILL');
    return this.ended;
  }

  /** As an operator stops it. */
  async stop(): Promise<Ended> {
    this.signal('SIGTERM');
    const timer = global.setTimeout(() => this.signal('SIGKILL'), 15_000);
    const ended = await this.ended;
    clearTimeout(timer);
    return ended;
  }

  /** Undefined where it is still running then. */
  async endedWithin(ms: number): Promise<Ended | undefined> {
    return Promise.race([this.ended, setTimeout(ms, undefined, { ref: false })]);
  }

  /** Halted by SIGSTOP: it neither runs nor has ended. */
  async haltedWithin(ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    while (this.running && performance.now() < until) {
      if (stateOf(this.child.pid ?? 0) === 'T') return true;
      await setTimeout(POLL_MS);
    }
    return false;
  }
}

/** Linux tells it in one letter, after the name in brackets. */
function stateOf(pid: number): string | undefined {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
