import { setTimeout } from 'node:timers/promises';
import { auditDeployment } from '../audit/deployment.audit.js';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { unansweredRequests } from '../support/client.request.js';
import { freePort, newDeployment, SHORT_LATE_INQUIRIES } from '../support/deployment.js';
import { PaymentsUnderKills } from '../support/payments-under-kills.js';

const CONCURRENCY = 20;

export const randomKills: Proof = {
  name: 'random-kills',
  claim: 'killed at random moments under load, nothing is lost or charged twice (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const payments = roundCount(options, 500, 40);
    const environment = options.quick ? SHORT_LATE_INQUIRIES : {};
    const deployment = newDeployment({ terminals: CONCURRENCY, environment });
    const driver = new Driver(deployment, await freePort(), payments, options);
    try {
      await driver.start();
      const killing = driver.killUntilDone();
      const requests = await driver.pay();
      const kills = await killing;
      options.say(`all ${payments} payments answered after ${kills} kills`);
      const startedAt = performance.now();
      const left = await driver.untilResolved();
      const resolvedAfter = Math.round(performance.now() - startedAt);
      await driver.stop();
      const { complaints, ...figures } = await auditDeployment(deployment, requests);
      return {
        complaints: [...unansweredRequests(requests), ...left, ...complaints],
        figures: { kills, requests: requests.length, ...figures, 'all resolved after ms': resolvedAfter },
      };
    } finally {
      await driver.stop();
      deployment.remove();
    }
  },
};

class Driver extends PaymentsUnderKills {
  protected override isEnough(): boolean {
    return this.paymentsStarted >= this.payments;
  }

  /** Kills the service, one time in ten before it is ready. Returns the number of kills. */
  async killUntilDone(): Promise<number> {
    let kills = 0;
    while (!this.isOver) {
      await setTimeout(200 + Math.random() * 1_300);
      if (this.isOver) break;
      await this.service?.kill();
      kills++;
      this.service = ServiceProcess.spawn(this.deployment, { port: this.port });
      if (kills % 10 === 0) this.options.say(`${kills} kills`);
      else await this.service.ready();
    }
    await this.service?.ready();
    return kills;
  }
}
