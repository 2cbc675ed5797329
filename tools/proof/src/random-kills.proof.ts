import { setTimeout } from 'node:timers/promises';
import { isDefinite, type Asked } from './asked.js';
import { Client } from './client.js';
import { examine } from './examination.js';
import { Histories } from './histories.js';
import { inLanes } from './lanes.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { payAtRandom } from './random.payments.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, newSite, SHORT_LATE_CHECKS, terminalsOf, type Site } from './site.js';

const CONCURRENCY = 20;
const ANSWERED_WITHIN_MS = 180_000;
/** A claim on a piece of work by a resolver that was killed runs out after a minute. */
const RESOLVED_WITHIN_MS = 150_000;

export const randomKills: Proof = {
  name: 'random-kills',
  claim: 'killed at random moments under load, nothing is lost or charged twice (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const payments = roundsOf(options, 500, 40);
    const environment = options.quick ? SHORT_LATE_CHECKS : {};
    const site = newSite({ terminals: CONCURRENCY, environment });
    const driver = new Driver(site, await freePort(), payments, options);
    try {
      await driver.start();
      const killing = driver.killUntilDone();
      const asked = await driver.pay();
      const kills = await killing;
      options.say(`all ${payments} payments answered after ${kills} kills`);
      const since = performance.now();
      const left = await driver.untilResolved();
      const resolvedAfter = Math.round(performance.now() - since);
      await driver.stop();
      const { complaints, ...figures } = await examine(site, asked);
      const unanswered = asked
        .filter(({ heard }) => !heard.some(isDefinite))
        .map(({ key }) => `${key}: no definite answer`);
      return {
        complaints: [...unanswered, ...left, ...complaints],
        figures: { kills, requests: asked.length, ...figures, 'all looked at after ms': resolvedAfter },
      };
    } finally {
      await driver.stop();
      site.remove();
    }
  },
};

class Driver {
  private service: ServiceProcess | undefined;
  private done = 0;
  private over = false;

  constructor(
    private readonly site: Site,
    private readonly port: number,
    private readonly payments: number,
    private readonly options: ProofOptions,
  ) {}

  async start(): Promise<void> {
    this.service = await ServiceProcess.start(this.site, { port: this.port });
  }

  async stop(): Promise<void> {
    await this.service?.stop();
  }

  /** Mostly while it works, at times before it has started. Gives how often. */
  async killUntilDone(): Promise<number> {
    let kills = 0;
    while (!this.over) {
      await setTimeout(200 + Math.random() * 1_300);
      if (this.over) break;
      await this.service?.kill();
      kills++;
      this.service = ServiceProcess.spawn(this.site, { port: this.port });
      if (kills % 10 === 0) this.options.say(`${kills} kills, ${this.done} of ${this.payments} payments`);
      else await this.service.ready();
    }
    await this.service?.ready();
    return kills;
  }

  async pay(): Promise<Asked[]> {
    const client = new Client([`http://127.0.0.1:${this.port}`], factsOf(this.site).apiKey);
    const free = terminalsOf(this.site).slice(0, CONCURRENCY);
    const asked: Asked[] = [];
    await inLanes(Array.from({ length: this.payments }), CONCURRENCY, async () => {
      const terminal = free.pop() ?? '';
      await payAtRandom(client, terminal, asked, ANSWERED_WITHIN_MS);
      free.push(terminal);
      this.done++;
    });
    this.over = true;
    return asked;
  }

  async untilResolved(): Promise<string[]> {
    const histories = await Histories.open(this.site);
    const left = await histories.untilNoWorkIsLeft(RESOLVED_WITHIN_MS);
    await histories.close();
    return left.map((what) => `${what} is open ${RESOLVED_WITHIN_MS} ms after the last kill`);
  }
}
