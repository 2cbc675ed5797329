import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AcquirerProcess } from './acquirer.process.js';
import { isDefinite, type Asked } from './asked.js';
import { Client } from './client.js';
import { newDirectory, removeDirectory } from './directories.js';
import { examine } from './examination.js';
import { Histories } from './histories.js';
import { inLanes } from './lanes.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { payAtRandom } from './random.payments.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, newSite, SHORT_LATE_CHECKS, terminalsOf, type Site } from './site.js';

const CONCURRENCY = 16;
const ANSWERED_WITHIN_MS = 180_000;
/** A claim on a piece of work by a resolver that was killed runs out after a minute. */
const RESOLVED_WITHIN_MS = 150_000;
const LEAST_KILLS = 10;
const MOST_TIMES_MORE = 20;
/** Both processes share the machine with the driver. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '1000', TERMINAL_DEADLINE_MS: '1500' };

export const networkSandbox: Proof = {
  name: 'network-sandbox',
  claim:
    'service and acquirer are two processes, both killed at random: books and events agree (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const payments = roundsOf(options, 300, 24);
    const acquirerDir = newDirectory('acquirer');
    const acquirerPort = await freePort();
    const environment = {
      ...DEADLINES,
      ...(options.quick && SHORT_LATE_CHECKS),
      // Payments are to be on their way when somebody dies, not refused because somebody has.
      BREAKER_FAILURES: '0',
      SANDBOX: 'network',
      SANDBOX_URL: `http://127.0.0.1:${acquirerPort}`,
      SANDBOX_SECRET: randomBytes(16).toString('hex'),
    };
    const site: Site = { ...newSite({ terminals: CONCURRENCY, environment }), acquirerDir };
    const acquirer = new AcquirerProcess(site, acquirerPort);
    const driver = new Driver(site, acquirer, await freePort(), payments, options);
    try {
      await driver.start();
      const killing = driver.killUntilDone();
      const asked = await driver.pay();
      await killing;
      const { kills } = driver;
      options.say(`all ${payments} payments answered after ${kills.service} and ${kills.acquirer} kills`);
      const left = await driver.untilResolved();
      await driver.stop();
      const { complaints, ...figures } = await examine(site, asked);
      const unanswered = asked
        .filter(({ heard }) => !heard.some(isDefinite))
        .map(({ key }) => `${key}: no definite answer`);
      return {
        complaints: [...unanswered, ...left, ...complaints],
        figures: {
          'kills of the service': kills.service,
          'kills of the acquirer': kills.acquirer,
          requests: asked.length,
          ...figures,
        },
      };
    } finally {
      await driver.stop();
      site.remove();
      removeDirectory(acquirerDir);
    }
  },
};

/** Ms. Now and then longer than all late looks at something take: none of them may count then. */
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
    private readonly site: Site,
    private readonly acquirer: AcquirerProcess,
    private readonly port: number,
    private readonly payments: number,
    private readonly options: ProofOptions,
  ) {}

  async start(): Promise<void> {
    this.acquirer.spawn();
    await this.acquirer.ready();
    this.service = await ServiceProcess.start(this.site, { port: this.port });
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    await this.acquirer.kill('SIGTERM');
  }

  /** One, the other, or both at once; the acquirer stays away for a moment at times. */
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
      if (killsService) this.service = ServiceProcess.spawn(this.site, { port: this.port });
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

  async pay(): Promise<Asked[]> {
    const client = new Client([`http://127.0.0.1:${this.port}`], factsOf(this.site).apiKey);
    const free = terminalsOf(this.site).slice(0, CONCURRENCY);
    const asked: Asked[] = [];
    await inLanes(free, CONCURRENCY, async (terminal) => {
      while (!this.isEnough()) {
        await payAtRandom(client, terminal, asked, ANSWERED_WITHIN_MS);
        this.done++;
        if (this.done % 50 === 0) this.options.say(`${this.done} of ${this.payments} payments`);
      }
    });
    this.over = true;
    return asked;
  }

  /** A machine that is slow to start a process is given more payments, not fewer kills. */
  private isEnough(): boolean {
    const { service, acquirer } = this.kills;
    const least = Math.min(LEAST_KILLS, this.payments / 12);
    const killed = service >= least && acquirer >= least;
    return (this.done >= this.payments && killed) || this.done >= this.payments * MOST_TIMES_MORE;
  }

  async untilResolved(): Promise<string[]> {
    const histories = await Histories.open(this.site);
    const left = await histories.untilNoWorkIsLeft(RESOLVED_WITHIN_MS);
    await histories.close();
    return left.map((what) => `${what} is open ${RESOLVED_WITHIN_MS} ms after the last kill`);
  }
}
