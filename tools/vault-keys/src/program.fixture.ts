import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The built programs under test. */
export const PROGRAMS = {
  vault: at('../dist/main.js'),
  keeping: at('../fixtures/keeping-process.mjs'),
  service: at('../../../apps/api/dist/bundled/main.js'),
} as const;

export interface Running {
  readonly process: ChildProcess;
  /** Output of both streams so far. */
  output(): string;
  readonly ended: Promise<{ readonly code: unknown; readonly signal: unknown; readonly output: string }>;
}

/** A data directory, and processes on it that end with the test. */
export class DataDirectoryFixture {
  readonly directory = mkdtempSync(join(tmpdir(), 'tillstream-vault-command-'));
  readonly keyFile = join(this.directory, 'vault.keys');
  readonly vaultFile = join(this.directory, 'vault.db');
  private readonly children: ChildProcess[] = [];

  /** @param settings environment variables beside DATA_DIR; the test's own environment is not passed on */
  start(
    program: keyof typeof PROGRAMS,
    args: readonly string[] = [],
    settings: Record<string, string> = {},
  ): Running {
    if (!existsSync(PROGRAMS[program])) throw new Error(`${PROGRAMS[program]} is missing: build first`);
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [PROGRAMS[program], ...args], {
      env: { PATH, DATA_DIR: this.directory, PORT: '0', LOG_LEVEL: 'info', ...settings },
      // The `.env` of the user who runs the test must not be read.
      cwd: this.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, output }));
    return { process: child, output: () => output, ended };
  }

  /** Lines of the key file. */
  keys(): readonly string[] {
    return readFileSync(this.keyFile, 'utf8').trim().split('\n');
  }

  remove(): void {
    for (const child of this.children) child.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Limit of a test of processes on a busy machine. */
export const LIMIT_MS = 150_000;
const MOST_MS = 60_000;

/** Polls every two milliseconds, for a minute at most. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + MOST_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not come to that in a minute');
    await pause(2);
  }
}
