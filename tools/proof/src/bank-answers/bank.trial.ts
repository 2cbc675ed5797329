import { setTimeout } from 'node:timers/promises';
import { withHistories } from '../audit/histories.js';
import type { AuditReport } from '../audit/deployment.audit.js';
import { ServiceProcess } from '../processes/service.process.js';
import { SettlementProcess } from '../processes/settlement.process.js';
import { inParallel, pickOne, poll, randomUpTo } from '../support/concurrency.js';
import { freePort, sandboxFacts, type Deployment } from '../support/deployment.js';
import { advanceClock } from '../support/sandbox.clock.js';
import { auditBank, processingIn } from './bank.check.js';
import { BankClient } from './bank.client.js';

const POINTS = ['before-notice-stored', 'after-notice-stored'] as const;
/** The point is reached by each of the messages of a round. */
const NTH_MAX = 12;
const CONCURRENCY = 8;
const REFUNDS_SHARE = 0.3;
/** The bank answers after a day. */
const DAY_S = 24 * 3_600;
const MARGIN_S = 60;
/** From the approval to a return. */
const RETURN_DAYS = 3;
/** From the move of the clock to a kill at random. The service looks for messages every 250 ms. */
const RANDOM_KILL_MS = 600;
const DEATH_TIMEOUT_MS = 8_000;
const SETTLE_TIMEOUT_MS = 120_000;
const RESOLUTION_TIMEOUT_MS = 120_000;

/** Two processes of the service and the closer of batches on one data directory. */
export class BankTrial {
  readonly complaints: string[] = [];
  client!: BankClient;
  private kills = 0;
  private killsAtPoints = 0;
  /** By which the clock is moved at a kill. */
  private days = 1 + RETURN_DAYS;
  private readonly services: ServiceProcess[] = [];
  private readonly ports: number[] = [];
  private closer: SettlementProcess | undefined;

  /** @param salesPerKill that wait for the bank */
  constructor(
    readonly deployment: Deployment,
    private readonly salesPerKill: number,
  ) {}

  async start(): Promise<void> {
    this.ports.push(await freePort(), await freePort());
    await this.restart(0);
    await this.restart(1);
    this.closer = new SettlementProcess(this.deployment);
    this.client = new BankClient(sandboxFacts(this.deployment));
    await this.client.storeAccounts(this.origin);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.services.map((service) => service.stop()), this.closer?.kill('SIGTERM')]);
  }

  /** Sells and refunds, moves the clock, and kills while the messages of the bank are worked off. */
  async killOnce(): Promise<void> {
    await this.sellAndRefund();
    // Every second time the returns of all earlier approvals are due too.
    this.days = this.days === 1 ? 1 + RETURN_DAYS : 1;
    if (Math.random() < 0.5) await this.dieAtPoint();
    else await this.dieAtRandom();
    await Promise.all([this.restart(0), this.restart(1)]);
  }

  /** Until nothing is due. A claim of a killed process holds its messages for 15 s. */
  async settle(): Promise<void> {
    const pending = await poll(
      async () => (await advanceClock(this.deployment, this.origin, 1))?.pending ?? -1,
      (left) => left === 0,
      SETTLE_TIMEOUT_MS,
    );
    if (pending !== 0) this.complaints.push(`${pending} pieces of work were left of what was due`);
  }

  /** Lets every answer and return fall due, and audits. */
  async finish(): Promise<AuditReport> {
    const { deployment, client } = this;
    for (const seconds of [DAY_S, RETURN_DAYS * DAY_S, DAY_S]) {
      await advanceClock(deployment, this.origin, seconds + MARGIN_S);
      await this.settle();
    }
    const left = await withHistories(deployment, (histories) =>
      histories.waitUntilNoWorkIsLeft(RESOLUTION_TIMEOUT_MS),
    );
    this.complaints.push(...left.map((what) => `${what} is open`), ...client.complaints);
    this.complaints.push(...(await processingIn(deployment, this.origin)));
    await this.stop();
    const { complaints, figures } = await auditBank(deployment, client);
    const { kills, killsAtPoints, services } = this;
    services.length = 0;
    return {
      complaints: [...this.complaints, ...complaints],
      figures: { kills, 'at crash points': killsAtPoints, ...figures },
    };
  }

  private get origin(): string {
    return this.services[0]?.origin ?? '';
  }

  private async restart(index: 0 | 1): Promise<void> {
    const running = this.services[index];
    if (running?.running) return;
    this.services[index] = await ServiceProcess.start(this.deployment, { port: this.ports[index] ?? 0 });
  }

  private async sellAndRefund(): Promise<void> {
    const { client, services } = this;
    const origin = (nth: number): string => services[nth % 2]?.origin ?? '';
    const numbers = Array.from({ length: this.salesPerKill }, (_, nth) => nth);
    const [first, ...others] = client.sales;
    await inParallel(numbers, CONCURRENCY, async (nth) => {
      await client.sell(origin(nth));
      if (first && Math.random() < REFUNDS_SHARE)
        await client.refund(origin(nth), pickOne([first, ...others.slice(-2 * this.salesPerKill)]));
    });
  }

  /** One process alone meets all messages, and dies at one of them. */
  private async dieAtPoint(): Promise<void> {
    const { deployment, services } = this;
    await Promise.all(services.map((service) => service.kill()));
    const crashPoint = `${pickOne([...POINTS])}:${randomUpTo(NTH_MAX)}`;
    const crashing = ServiceProcess.spawn(deployment, this.ports[0] ?? 0, { crashPoint });
    services[0] = crashing;
    // Messages that an earlier process left may be due at once: then it dies before it is ready.
    await crashing.ready().catch(() => undefined);
    if (crashing.running)
      await advanceClock(deployment, crashing.origin, this.days * DAY_S + MARGIN_S, false);
    const exit = await crashing.exitWithin(DEATH_TIMEOUT_MS);
    if (exit?.signal === 'SIGKILL') {
      this.kills++;
      this.killsAtPoints++;
    } else this.complaints.push(`it did not die at ${crashPoint}: ${crashing.logged}`);
  }

  /** One of the processes, or both. */
  private async dieAtRandom(): Promise<void> {
    const { deployment, services } = this;
    await advanceClock(deployment, this.origin, this.days * DAY_S + MARGIN_S, false);
    await setTimeout(Math.random() * RANDOM_KILL_MS);
    const [areBoth, one] = [Math.random() < 0.3, randomUpTo(2) - 1];
    const victims = services.filter((_, index) => areBoth || index === one);
    await Promise.all(victims.map((service) => service.kill()));
    this.kills++;
  }
}
