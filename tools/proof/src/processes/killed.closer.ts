import { setTimeout } from 'node:timers/promises';
import { randomUpTo } from '../support/concurrency.js';
import type { Deployment } from '../support/deployment.js';
import { SettlementProcess } from './settlement.process.js';

const KILLED_WITHIN_MS = 2_000;

/** The settlement projector, killed at random moments and started again. */
export class KilledCloser {
  /** Real time of each kill, ms. */
  readonly killedAt: number[] = [];
  private process: SettlementProcess;

  constructor(
    private readonly deployment: Deployment,
    private readonly say: (line: string) => void,
  ) {
    this.process = new SettlementProcess(deployment);
  }

  get logged(): string {
    return this.process.logged;
  }

  /** The last process that it starts stays. */
  async kill(times: number): Promise<void> {
    for (let kill = 1; kill <= times; kill++) {
      await this.process.ready();
      await setTimeout(randomUpTo(KILLED_WITHIN_MS));
      this.killedAt.push(Date.now());
      await this.process.kill();
      this.say(`killed ${kill} of ${times}`);
      this.process = new SettlementProcess(this.deployment);
    }
    await this.process.ready();
  }

  async stop(): Promise<void> {
    await this.process.kill('SIGTERM');
  }
}
