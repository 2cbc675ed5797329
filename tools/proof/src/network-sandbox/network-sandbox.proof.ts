import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AcquirerProcess } from '../processes/acquirer.process.js';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Proof } from '../proof.types.js';
import {
  freePort,
  newDeployment,
  newDirectory,
  removeDirectory,
  SHORT_LATE_INQUIRIES,
} from '../support/deployment.js';
import { PaymentsUnderKills } from '../support/payments-under-kills.js';

const CONCURRENCY = 16;
const KILLS_MIN = 10;
const PAYMENTS_FACTOR_MAX = 20;
/** Three processes share the machine. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '1000', TERMINAL_DEADLINE_MS: '1500' };

export const networkSandbox: Proof = {
  name: 'network-sandbox',
  claim:
    'service and acquirer are two processes, both killed at random: ledger and events agree (rounds: payments)',
  async run(options) {
    const payments = roundCount(options, 300, 24);
    const acquirerDir = newDirectory('acquirer');
    const deployment = newDeployment(CONCURRENCY, {
      ...DEADLINES,
      ...(options.quick && SHORT_LATE_INQUIRIES),
      // The breaker is off: payments must be in flight at a kill, not refused because of an earlier one.
      BREAKER_FAILURES: '0',
      SANDBOX: 'network',
      SANDBOX_URL: `http://127.0.0.1:${await freePort()}`,
      SANDBOX_SECRET: randomBytes(16).toString('hex'),
    });
    const trial = new Trial({ ...deployment, acquirerDir }, await freePort(), payments, options);
    try {
      return await trial.run();
    } finally {
      removeDirectory(acquirerDir);
    }
  },
};

/** Ms. One in four is longer than all late inquiries: none may be taken as answered. */
function absence(): number {
  return Math.random() < 0.25 ? 7_000 : Math.random() * 500;
}

class Trial extends PaymentsUnderKills {
  private acquirer: AcquirerProcess | undefined;
  private readonly kills = { service: 0, acquirer: 0 };

  protected override async start(): Promise<void> {
    this.acquirer = new AcquirerProcess(this.deployment);
    await this.acquirer.ready();
    await super.start();
  }

  protected override async stop(): Promise<void> {
    await super.stop();
    await this.acquirer?.kill('SIGTERM');
  }

  /** Kills the service, the acquirer or both, again and again; the acquirer is absent for a while. */
  protected override async killUntilOver() {
    const { kills } = this;
    while (!this.isOver) {
      await setTimeout(400 + Math.random() * 1_600);
      if (this.isOver) break;
      const random = Math.random();
      const killsService = random < 0.6;
      const killsAcquirer = random > 0.4;
      await Promise.all([
        killsAcquirer ? this.acquirer?.kill() : undefined,
        killsService ? this.service?.kill() : undefined,
      ]);
      if (killsService) this.service = ServiceProcess.spawn(this.deployment, this.port);
      if (killsAcquirer) {
        kills.acquirer++;
        await setTimeout(absence());
        this.acquirer = new AcquirerProcess(this.deployment);
      }
      if (killsService) kills.service++;
      await this.acquirer?.ready();
      await this.service?.ready();
    }
    return { 'kills of the service': kills.service, 'kills of the acquirer': kills.acquirer };
  }

  /** On a slow machine more payments are made, not fewer kills. */
  protected override isEnough(): boolean {
    const { service, acquirer } = this.kills;
    const least = Math.min(KILLS_MIN, this.payments / 12);
    const areKilled = service >= least && acquirer >= least;
    return this.paymentsStarted >= (areKilled ? this.payments : this.payments * PAYMENTS_FACTOR_MAX);
  }
}
