import { workLeftAfter } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import type { ProofOptions } from '../proof.types.js';
import type { ClientRequest } from './client.request.js';
import { sandboxFacts, terminalIds, type Deployment } from './deployment.js';
import { PaymentClient } from './payment.client.js';
import { payAtRandom } from './random.payments.js';

const RESPONSE_TIMEOUT_MS = 180_000;
/** The lease of a killed resolver expires after a minute. */
const RESOLUTION_TIMEOUT_MS = 150_000;

/** Makes random payments at every terminal while a proof kills processes. */
export abstract class PaymentsUnderKills {
  protected service: ServiceProcess | undefined;
  protected paymentsStarted = 0;
  protected isOver = false;

  constructor(
    protected readonly deployment: Deployment,
    protected readonly port: number,
    protected readonly payments: number,
    protected readonly options: ProofOptions,
  ) {}

  async start(): Promise<void> {
    this.service = await ServiceProcess.start(this.deployment, { port: this.port });
  }

  async stop(): Promise<void> {
    await this.service?.stop();
  }

  protected abstract isEnough(): boolean;

  /** Resolves when enough payments have definite responses. */
  async pay(): Promise<ClientRequest[]> {
    const client = new PaymentClient([`http://127.0.0.1:${this.port}`], sandboxFacts(this.deployment).apiKey);
    const requests: ClientRequest[] = [];
    const payAt = async (terminal: string): Promise<void> => {
      while (!this.isEnough()) {
        this.paymentsStarted++;
        if (this.paymentsStarted % 50 === 0)
          this.options.say(`${this.paymentsStarted} of ${this.payments} payments`);
        await payAtRandom(client, terminal, requests, RESPONSE_TIMEOUT_MS);
      }
    };
    // The first terminals: the merchant has one more.
    const { SANDBOX_TERMINALS: terminals } = this.deployment.environment;
    await Promise.all(terminalIds(this.deployment).slice(0, Number(terminals)).map(payAt));
    this.isOver = true;
    return requests;
  }

  /** Waits until the resolver has no work. Returns a complaint for each piece that is left. */
  async untilResolved(): Promise<string[]> {
    const left = await workLeftAfter(this.deployment, RESOLUTION_TIMEOUT_MS);
    return left.map((what) => `${what} is open ${RESOLUTION_TIMEOUT_MS} ms after the last kill`);
  }
}
