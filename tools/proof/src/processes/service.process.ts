import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Deployment, Environment } from '../support/deployment.js';
import { builtProgram, ProgramProcess, type Exit } from './program.process.js';

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 25;

export interface StartOptions {
  readonly port: number;
  /** `name:nth` or `name:nth:stop`. */
  readonly crashPoint?: string;
  readonly environment?: Environment;
  /** Receives all of stdout and stderr. */
  onOutput?(chunk: Buffer): void;
}

/** A built API process, as a user starts it. */
export class ServiceProcess extends ProgramProcess {
  private constructor(
    { dataDir, environment: shared }: Deployment,
    readonly port: number,
    { crashPoint, environment = {}, onOutput }: StartOptions,
  ) {
    super(builtProgram('apps/api/dist/bundled/main.js'), {
      cwd: dataDir,
      environment: {
        ...shared,
        PORT: String(port),
        ...environment,
        ...(crashPoint !== undefined && { SANDBOX_CRASH_POINT: crashPoint }),
      },
      ...(onOutput && { onOutput }),
    });
  }

  /** Does not wait until the service is ready. */
  static spawn(deployment: Deployment, options: StartOptions): ServiceProcess {
    return new ServiceProcess(deployment, options.port, options);
  }

  /** Resolves when the service takes payments. Rejects with the end of its log if it ends before, or takes too long. */
  static async start(deployment: Deployment, options: StartOptions): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(deployment, options);
    await service.ready();
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async ready(timeoutMs = READY_TIMEOUT_MS): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (performance.now() < until) {
      if (!this.running) throw new Error(`the service ended before it was ready:\n${this.logged}`);
      if ((await this.health()).status === 200) return;
      await setTimeout(POLL_MS);
    }
    throw new Error(`the service was not ready within ${timeoutMs} ms:\n${this.logged}`);
  }

  /** Status 0 means that the service did not answer. */
  async health(): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const response = await fetch(`${this.origin}/health/ready`, { signal: AbortSignal.timeout(5_000) });
      return { status: response.status, text: await response.text() };
    } catch {
      return { status: 0, text: '' };
    }
  }

  /** Stops the service as an operator does, and kills it if that takes too long. */
  async stop(): Promise<Exit> {
    const timer = global.setTimeout(() => this.signal('SIGKILL'), STOP_TIMEOUT_MS);
    const exit = await this.kill('SIGTERM');
    clearTimeout(timer);
    return exit;
  }

  /** Whether SIGSTOP halts the process in time: it neither runs nor has ended. */
  async haltedWithin(ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    while (this.running && performance.now() < until) {
      if (processState(this.pid ?? 0) === 'T') return true;
      await setTimeout(POLL_MS);
    }
    return false;
  }
}

/** Linux gives the state as one letter, after the name in brackets. */
function processState(pid: number): string | undefined {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
