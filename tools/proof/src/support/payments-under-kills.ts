import { withHistories } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import type { Findings, ProofOptions } from '../proof.types.js';
import { unansweredRequests } from './client.request.js';
import { terminalIds, type Deployment } from './deployment.js';
import { PaymentTrial } from './payment.trial.js';
import { payAtRandom } from './random.payments.js';

const RESPONSE_TIMEOUT_MS = 180_000;
/** The lease of a killed resolver expires after a minute. */
const RESOLUTION_TIMEOUT_MS = 150_000;

/** Makes random payments at every terminal while a proof kills processes. */
export abstract class PaymentsUnderKills extends PaymentTrial {
  protected service: ServiceProcess | undefined;
  protected paymentsStarted = 0;
  protected isOver = false;

  constructor(
    deployment: Deployment,
    protected readonly port: number,
    protected readonly payments: number,
    protected readonly options: ProofOptions,
  ) {
    super(deployment);
  }

  protected async start(): Promise<void> {
    this.service = await ServiceProcess.start(this.deployment, { port: this.port });
  }

  protected async stop(): Promise<void> {
    await this.service?.stop();
  }

  protected abstract isEnough(): boolean;

  /** Returns the numbers of kills, for the result line. */
  protected abstract killUntilOver(): Promise<Readonly<Record<string, number>>>;

  /** Pays until enough payments have definite responses, waits until the resolver has no work, and audits. */
  async run(): Promise<Findings> {
    try {
      await this.start();
      const killing = this.killUntilOver();
      await this.pay();
      const kills = await killing;
      this.options.say(`all ${this.payments} payments answered`);
      const startedAt = performance.now();
      const left = await withHistories(this.deployment, (histories) =>
        histories.waitUntilNoWorkIsLeft(RESOLUTION_TIMEOUT_MS),
      );
      const resolvedAfter = Math.round(performance.now() - startedAt);
      this.complaints.push(...unansweredRequests(this.requests));
      this.complaints.push(
        ...left.map((what) => `${what} is open ${RESOLUTION_TIMEOUT_MS} ms after the last kill`),
      );
      await this.stop();
      const { complaints, figures } = await this.audit();
      const { length: requests } = this.requests;
      return {
        complaints,
        figures: { ...kills, requests, ...figures, 'all resolved after ms': resolvedAfter },
      };
    } finally {
      await this.stop();
      this.deployment.remove();
    }
  }

  private async pay(): Promise<void> {
    const client = this.client(`http://127.0.0.1:${this.port}`);
    const payAt = async (terminal: string): Promise<void> => {
      while (!this.isEnough()) {
        this.paymentsStarted++;
        if (this.paymentsStarted % 50 === 0)
          this.options.say(`${this.paymentsStarted} of ${this.payments} payments`);
        await payAtRandom(client, terminal, RESPONSE_TIMEOUT_MS);
      }
    };
    await Promise.all(terminalIds(this.deployment).map(payAt));
    this.isOver = true;
  }
}
