import { setTimeout } from 'node:timers/promises';
import type { Deployment } from '../support/deployment.js';
import { builtProgram, ProgramProcess } from './program.process.js';

const READY_TIMEOUT_MS = 60_000;

/** The simulated acquirer as a process of its own, on the port that the deployment's API calls. */
export class AcquirerProcess {
  private process: ProgramProcess | undefined;

  constructor(
    private readonly deployment: Deployment,
    private readonly port: number,
  ) {}

  /** Does not wait until the acquirer is ready. */
  spawn(): void {
    const { environment, dataDir, acquirerDir = dataDir } = this.deployment;
    const own = { SANDBOX_PORT: String(this.port), SANDBOX_DATA_DIR: acquirerDir };
    this.process = new ProgramProcess(builtProgram('apps/sandbox/dist/bundled/main.js'), {
      cwd: dataDir,
      environment: { ...environment, ...own },
    });
  }

  async ready(): Promise<void> {
    const until = performance.now() + READY_TIMEOUT_MS;
    for (;;) {
      try {
        const { ok } = await fetch(`http://127.0.0.1:${this.port}/health/ready`);
        if (ok) return;
      } catch {
        // The port is not open yet.
      }
      if (performance.now() > until)
        throw new Error(`the acquirer was not ready in ${READY_TIMEOUT_MS} ms:\n${this.process?.logged}`);
      await setTimeout(25);
    }
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    await this.process?.kill(signal);
  }
}
