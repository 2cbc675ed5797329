import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Site } from './site.js';

const PROGRAM = fileURLToPath(
  new URL('../../../apps/settlement-projector/dist/bundled/main.js', import.meta.url),
);

const STARTED_WITHIN_MS = 60_000;
const POLL_MS = 25;

const alive = new Set<ChildProcess>();
// Should the driver itself end early, nothing of it stays behind.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** The settlement projector as it is started on its own. */
export class SettlementProcess {
  private readonly ended: Promise<void>;
  private log = '';

  private constructor(private readonly child: ChildProcess) {
    alive.add(child);
    child.stderr?.on('data', (chunk: Buffer) => (this.log = (this.log + chunk.toString()).slice(-20_000)));
    this.ended = new Promise((resolve) =>
      child.once('exit', () => {
        alive.delete(child);
        resolve();
      }),
    );
  }

  static spawn({ dataDir, environment }: Site): SettlementProcess {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build first (npm run build)`);
    const env: Record<string, string> = { ...environment, LOG_LEVEL: 'info' };
    if (process.env['PATH'] !== undefined) env['PATH'] = process.env['PATH'];
    return new SettlementProcess(
      spawn(process.execPath, [PROGRAM], { cwd: dataDir, env, stdio: ['ignore', 'ignore', 'pipe'] }),
    );
  }

  get logged(): string {
    return this.log;
  }

  /** It works from here on. */
  async started(): Promise<void> {
    const until = performance.now() + STARTED_WITHIN_MS;
    while (!this.log.includes('settlement-started')) {
      const isOver = this.child.exitCode !== null || performance.now() > until;
      if (isOver) throw new Error(`the settlement projector did not start:\n${this.log}`);
      await setTimeout(POLL_MS);
    }
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}
