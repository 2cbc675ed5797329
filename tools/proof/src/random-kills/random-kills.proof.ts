import { setTimeout } from 'node:timers/promises';
import { unansweredRequests, type ClientRequest } from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { auditDeployment } from '../audit/deployment.audit.js';
import { workLeftAfter } from '../audit/histories.js';
import { inParallel } from '../support/concurrency.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { payAtRandom } from '../support/random.payments.js';
import { ServiceProcess } from '../processes/service.process.js';
import {
  sandboxFacts,
  freePort,
  newDeployment,
  SHORT_LATE_INQUIRIES,
  terminalIds,
  type Deployment,
} from '../support/deployment.js';

const CONCURRENCY = 20;
const RESPONSE_TIMEOUT_MS = 180_000;
/** The lease of a killed resolver expires after a minute. */
const RESOLUTION_TIMEOUT_MS = 150_000;

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
        figures: { kills, requests: requests.length, ...figures, 'all looked at after ms': resolvedAfter },
      };
    } finally {
      await driver.stop();
      deployment.remove();
    }
  },
};

class Driver {
  private service: ServiceProcess | undefined;
  private done = 0;
  private over = false;

  constructor(
    private readonly deployment: Deployment,
    private readonly port: number,
    private readonly payments: number,
    private readonly options: ProofOptions,
  ) {}

  async start(): Promise<void> {
    this.service = await ServiceProcess.start(this.deployment, { port: this.port });
  }

  async stop(): Promise<void> {
    await this.service?.stop();
  }

  /** Kills the service, one time in ten before it is ready. Returns the number of kills. */
  async killUntilDone(): Promise<number> {
    let kills = 0;
    while (!this.over) {
      await setTimeout(200 + Math.random() * 1_300);
      if (this.over) break;
      await this.service?.kill();
      kills++;
      this.service = ServiceProcess.spawn(this.deployment, { port: this.port });
      if (kills % 10 === 0) this.options.say(`${kills} kills, ${this.done} of ${this.payments} payments`);
      else await this.service.ready();
    }
    await this.service?.ready();
    return kills;
  }

  async pay(): Promise<ClientRequest[]> {
    const client = new PaymentClient([`http://127.0.0.1:${this.port}`], sandboxFacts(this.deployment).apiKey);
    const free = terminalIds(this.deployment).slice(0, CONCURRENCY);
    const requests: ClientRequest[] = [];
    await inParallel(Array.from({ length: this.payments }), CONCURRENCY, async () => {
      const terminal = free.pop() ?? '';
      await payAtRandom(client, terminal, requests, RESPONSE_TIMEOUT_MS);
      free.push(terminal);
      this.done++;
    });
    this.over = true;
    return requests;
  }

  async untilResolved(): Promise<string[]> {
    const left = await workLeftAfter(this.deployment, RESOLUTION_TIMEOUT_MS);
    return left.map((what) => `${what} is open ${RESOLUTION_TIMEOUT_MS} ms after the last kill`);
  }
}
