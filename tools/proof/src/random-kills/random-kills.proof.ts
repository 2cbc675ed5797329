import { setTimeout } from 'node:timers/promises';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Proof } from '../proof.types.js';
import { freePort, newDeployment, SHORT_LATE_INQUIRIES } from '../support/deployment.js';
import { PaymentsUnderKills } from '../support/payments-under-kills.js';

const CONCURRENCY = 20;

export const randomKills: Proof = {
  name: 'random-kills',
  claim: 'killed at random moments under load, nothing is lost or charged twice (rounds: payments)',
  async run(options) {
    const payments = roundCount(options, 500, 40);
    const deployment = newDeployment(CONCURRENCY, options.quick ? SHORT_LATE_INQUIRIES : {});
    return new Trial(deployment, await freePort(), payments, options).run();
  },
};

class Trial extends PaymentsUnderKills {
  protected override isEnough(): boolean {
    return this.paymentsStarted >= this.payments;
  }

  /** Kills the service, one time in ten before it is ready. */
  protected override async killUntilOver() {
    let kills = 0;
    while (!this.isOver) {
      await setTimeout(200 + Math.random() * 1_300);
      if (this.isOver) break;
      await this.service?.kill();
      kills++;
      this.service = ServiceProcess.spawn(this.deployment, this.port);
      if (kills % 10 === 0) this.options.say(`${kills} kills`);
      else await this.service.ready();
    }
    await this.service?.ready();
    return { kills };
  }
}
