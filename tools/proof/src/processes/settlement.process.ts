import { setTimeout } from 'node:timers/promises';
import type { Deployment } from '../support/deployment.js';
import { builtProgram, ProgramProcess } from './program.process.js';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 25;

/** The settlement projector as a process of its own. */
export class SettlementProcess extends ProgramProcess {
  static spawn({ dataDir, environment }: Deployment): SettlementProcess {
    return new SettlementProcess(builtProgram('apps/settlement-projector/dist/bundled/main.js'), {
      cwd: dataDir,
      environment: { ...environment, LOG_LEVEL: 'info' },
    });
  }

  async started(): Promise<void> {
    const until = performance.now() + START_TIMEOUT_MS;
    while (!this.logged.includes('settlement-started')) {
      if (!this.running || performance.now() > until)
        throw new Error(`the settlement projector did not start:\n${this.logged}`);
      await setTimeout(POLL_MS);
    }
  }
}
