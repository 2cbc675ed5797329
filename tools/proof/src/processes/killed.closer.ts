import { setTimeout } from 'node:timers/promises';
import { randomUpTo } from '../support/concurrency.js';
import type { Deployment } from '../support/deployment.js';
import { SettlementProcess } from './settlement.process.js';

const KILLED_WITHIN_MS = 2_000;
/** From the request for a closing. On a fast machine its settlements are there after 130 ms or more. */
const CLOSING_MS = 130;
/** Every fourth kill is at a random moment, so that closings are not the only work that is hit. */
const RANDOM_EVERY = 4;

/** The settlement projector, killed and started again. */
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

  /**
   * The last process that it starts stays.
   *
   * @param closingRequested resolves when the next closing is requested: most kills then hit a closing. Left out: all kills
   *   are at random moments
   */
  async kill(times: number, closingRequested?: () => Promise<unknown>): Promise<void> {
    for (let kill = 1; kill <= times; kill++) {
      await this.process.ready();
      if (!closingRequested || kill % RANDOM_EVERY === 0) await setTimeout(randomUpTo(KILLED_WITHIN_MS));
      else {
        await closingRequested();
        await setTimeout(randomUpTo(CLOSING_MS));
      }
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
