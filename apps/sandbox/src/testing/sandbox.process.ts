import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';

const MAIN = new URL('../../dist/bundled/main.js', import.meta.url).pathname;
const START_TIMEOUT_MS = 30_000;

/** Runs the built sandbox service as a process. */
export class SandboxProcess {
  readonly process: ChildProcess;
  stdout = '';
  stderr = '';
  private readonly ended: Promise<unknown[]>;

  constructor(settings: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
    const { PATH = '' } = process.env;
    const env = { PATH, SANDBOX_PORT: '0', ...settings };
    this.process = spawn(process.execPath, [MAIN, ...args], { env, cwd: tmpdir() });
    this.process.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.ended = once(this.process, 'close');
  }

  /** Resolves with the address of the service. */
  async started(): Promise<string> {
    const until = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const port = /listens on http:\/\/\S+:(\d+);/.exec(this.stdout)?.[1];
      if (port !== undefined) return `http://127.0.0.1:${port}`;
      if (this.process.exitCode !== null || Date.now() > until)
        throw new Error(`it did not start: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Resolves with the exit code, or with the signal that ended the process. */
  async end(): Promise<number | string> {
    const [code, signal] = (await this.ended) as [number | null, string | null];
    return code ?? signal ?? '';
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    this.process.kill(signal);
    return this.end();
  }
}
