import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Site } from './site.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/sandbox/dist/bundled/main.js', import.meta.url));
const READY_WITHIN_MS = 60_000;

const alive = new Set<ChildProcess>();
// Should the driver itself end early, nothing of it stays behind.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** The simulated acquirer as a process of its own, on the port that the site's API calls. */
export class AcquirerProcess {
  private child: ChildProcess | undefined;
  private log = '';

  constructor(
    private readonly site: Site,
    private readonly port: number,
  ) {}

  /** Started, and perhaps not ready yet. */
  spawn(): void {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build first (npm run build)`);
    const { environment, dataDir, acquirerDir = dataDir } = this.site;
    const { PATH = '' } = process.env;
    const own = { SANDBOX_PORT: String(this.port), SANDBOX_DATA_DIR: acquirerDir };
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: dataDir,
      env: { PATH, ...environment, ...own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.on('data', (chunk: Buffer) => (this.log = (this.log + chunk.toString()).slice(-5_000)));
    alive.add(child);
    child.once('exit', () => alive.delete(child));
    this.child = child;
  }

  async ready(): Promise<void> {
    const until = performance.now() + READY_WITHIN_MS;
    for (;;) {
      try {
        const { ok } = await fetch(`http://127.0.0.1:${this.port}/health/ready`);
        if (ok) return;
      } catch {
        // Nobody listens yet.
      }
      if (performance.now() > until)
        throw new Error(`the acquirer was not ready in ${READY_WITHIN_MS} ms:\n${this.log}`);
      await setTimeout(25);
    }
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}
