import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LOG_CHARACTERS = 20_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Receives all of stdout and stderr. Without it, stdout is discarded. */
  onOutput?(chunk: Buffer): void;
}

/** Path of a built program, given from the root of the repository. */
export function builtProgram(path: string): string {
  const program = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
  if (!existsSync(program)) throw new Error(`${program} is missing: build first (npm run build)`);
  return program;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A child of this process. It is killed when this process ends. */
export class ProgramProcess {
  readonly exit: Promise<Exit>;
  private readonly child: ChildProcess;
  private log = '';

  constructor(program: string, { cwd, environment, onOutput }: ProgramOptions, args: readonly string[] = []) {
    const { PATH = '' } = process.env;
    // A .env file of the user who runs the proof must not be read, so `cwd` is the data directory.
    this.child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { PATH, ...environment },
      stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
    });
    const { child } = this;
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

  /** The end of stderr. */
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

  /** Undefined if the process still runs then. */
  async exitWithin(ms: number): Promise<Exit | undefined> {
    return Promise.race([this.exit, setTimeout(ms, undefined, { ref: false })]);
  }
}
