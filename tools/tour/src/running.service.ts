import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const READY_WITHIN_MS = 60_000;

/** The built service in a process of its own. */
export class RunningService {
  private constructor(private readonly child: ChildProcess) {}

  /** Rejects if the service ends or is not ready in time. */
  static async start(root: string, settings: Readonly<Record<string, string>>): Promise<RunningService> {
    const env = { ...process.env, ...settings };
    const child = spawn(process.execPath, [join(root, 'apps/api/dist/bundled/main.js')], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const service = new RunningService(child);
    const until = Date.now() + READY_WITHIN_MS;
    // The service writes the file right before it is ready.
    while (!existsSync(join(settings['DATA_DIR'] ?? '', 'sandbox.json'))) {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
      if (Date.now() > until) {
        await service.stop();
        throw new Error(`the service was not ready within ${READY_WITHIN_MS} ms`);
      }
      await setTimeout(50);
    }
    return service;
  }

  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGINT');
    return ended;
  }
}
