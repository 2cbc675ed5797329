import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AcquirerProcess } from '../processes/acquirer.process.js';
import { unansweredRequests, type ClientRequest } from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { newDirectory, removeDirectory } from '../support/directories.js';
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

const CONCURRENCY = 16;
const RESPONSE_TIMEOUT_MS = 180_000;
/** The lease of a killed resolver expires after a minute. */
const RESOLUTION_TIMEOUT_MS = 150_000;
const KILLS_MIN = 10;
const PAYMENTS_FACTOR_MAX = 20;
/** Three processes share the machine. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '1000', TERMINAL_DEADLINE_MS: '1500' };

export const networkSandbox: Proof = {
  name: 'network-sandbox',
  claim:
    'service and acquirer are two processes, both killed at random: books and events agree (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const payments = roundCount(options, 300, 24);
    const acquirerDir = newDirectory('acquirer');
    const acquirerPort = await freePort();
    const environment = {
      ...DEADLINES,
      ...(options.quick && SHORT_LATE_INQUIRIES),
      // The breaker is off: payments must be in flight at a kill, not refused because of an earlier one.
      BREAKER_FAILURES: '0',
      SANDBOX: 'network',
      SANDBOX_URL: `http://127.0.0.1:${acquirerPort}`,
      SANDBOX_SECRET: randomBytes(16).toString('hex'),
    };
    const deployment: Deployment = { ...newDeployment({ terminals: CONCURRENCY, environment }), acquirerDir };
    const acquirer = new AcquirerProcess(deployment, acquirerPort);
    const driver = new Driver(deployment, acquirer, await freePort(), payments, options);
    try {
      await driver.start();
      const killing = driver.killUntilDone();
      const requests = await driver.pay();
      await killing;
      const { kills } = driver;
      options.say(`all ${payments} payments answered after ${kills.service} and ${kills.acquirer} kills`);
      const left = await driver.untilResolved();
      await driver.stop();
      const { complaints, ...figures } = await auditDeployment(deployment, requests);
      return {
        complaints: [...unansweredRequests(requests), ...left, ...complaints],
        figures: {
          'kills of the service': kills.service,
          'kills of the acquirer': kills.acquirer,
          requests: requests.length,
          ...figures,
        },
      };
    } finally {
      await driver.stop();
      deployment.remove();
      removeDirectory(acquirerDir);
    }
  },
};

/** Ms. One in four is longer than all late inquiries: none may be taken as answered. */
function absence(): number {
  return Math.random() < 0.25 ? 7_000 : Math.random() * 500;
}

interface Kills {
  service: number;
  acquirer: number;
}

class Driver {
  private service: ServiceProcess | undefined;
  private done = 0;
  private over = false;
  readonly kills: Kills = { service: 0, acquirer: 0 };

  constructor(
    private readonly deployment: Deployment,
    private readonly acquirer: AcquirerProcess,
    private readonly port: number,
    private readonly payments: number,
    private readonly options: ProofOptions,
  ) {}

  async start(): Promise<void> {
    this.acquirer.spawn();
    await this.acquirer.ready();
    this.service = await ServiceProcess.start(this.deployment, { port: this.port });
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    await this.acquirer.kill('SIGTERM');
  }

  /** Kills the service, the acquirer or both, again and again; the acquirer is absent for a while. */
  async killUntilDone(): Promise<void> {
    const { kills } = this;
    while (!this.over) {
      await setTimeout(400 + Math.random() * 1_600);
      if (this.over) break;
      const chance = Math.random();
      const killsService = chance < 0.6;
      const killsAcquirer = chance > 0.4;
      await Promise.all([
        killsAcquirer ? this.acquirer.kill() : undefined,
        killsService ? this.service?.kill() : undefined,
      ]);
      if (killsService) this.service = ServiceProcess.spawn(this.deployment, { port: this.port });
      if (killsAcquirer) {
        kills.acquirer++;
        await setTimeout(absence());
        this.acquirer.spawn();
      }
      if (killsService) kills.service++;
      await this.acquirer.ready();
      await this.service?.ready();
    }
  }

  async pay(): Promise<ClientRequest[]> {
    const client = new PaymentClient([`http://127.0.0.1:${this.port}`], sandboxFacts(this.deployment).apiKey);
    const free = terminalIds(this.deployment).slice(0, CONCURRENCY);
    const requests: ClientRequest[] = [];
    await inParallel(free, CONCURRENCY, async (terminal) => {
      while (!this.isEnough()) {
        await payAtRandom(client, terminal, requests, RESPONSE_TIMEOUT_MS);
        this.done++;
        if (this.done % 50 === 0) this.options.say(`${this.done} of ${this.payments} payments`);
      }
    });
    this.over = true;
    return requests;
  }

  /** On a slow machine more payments are made, not fewer kills. */
  private isEnough(): boolean {
    const { service, acquirer } = this.kills;
    const least = Math.min(KILLS_MIN, this.payments / 12);
    const killed = service >= least && acquirer >= least;
    return (this.done >= this.payments && killed) || this.done >= this.payments * PAYMENTS_FACTOR_MAX;
  }

  async untilResolved(): Promise<string[]> {
    const left = await workLeftAfter(this.deployment, RESOLUTION_TIMEOUT_MS);
    return left.map((what) => `${what} is open ${RESOLUTION_TIMEOUT_MS} ms after the last kill`);
  }
}
