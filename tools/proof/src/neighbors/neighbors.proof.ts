import { setTimeout } from 'node:timers/promises';
import type { ErrorEnvelope, TransactionResult } from '@tillstream/contracts';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { ApiClient, approvedIn, describeResponse, type ApiResponse } from '../support/api.client.js';
import { Repetition } from '../support/concurrency.js';
import { longDeadlines, newDeployment, sandboxFacts, terminalIds } from '../support/deployment.js';

const FLOODING_CLIENTS = 60;
const SELLING_CLIENTS = 8;
/** Below the number of flooding clients, so that some are refused. */
const IN_FLIGHT_MAX = 40;
const OPERATIONS = 900;
const OPERATIONS_QUICK = 60;
const READY_EVERY_MS = 50;
const DEADLINE_MS = 30_000;
const ENDED_WITHIN_MS = 10_000;
const AMOUNT = 100_000;
/** What a flooding client may be answered: its payment may have used up its operations, or be contended. */
const ALLOWED = new Set([200, 400, 409, 429]);

export const neighbors: Proof = {
  name: 'neighbors',
  claim: `while ${FLOODING_CLIENTS} clients of a merchant read and refund one large payment without a pause, another merchant's sales are all approved, the instance stays ready, and only the flooding merchant gets 429 with Retry-After (rounds: seconds)`,
  least: { sales: 20, refused: 5, served: 50 },
  async run(options) {
    const deployment = newDeployment(SELLING_CLIENTS, {
      ...longDeadlines(DEADLINE_MS),
      REQUESTS_IN_FLIGHT_PER_MERCHANT: String(IN_FLIGHT_MAX),
    });
    const service = await ServiceProcess.start(deployment);
    try {
      return await new NeighborTrial(service.origin, sandboxFacts(deployment), terminalIds(deployment)).run(
        options,
      );
    } finally {
      await service.stop();
      deployment.remove();
    }
  },
};

class NeighborTrial {
  private readonly complaints: string[] = [];
  private readonly seller: ApiClient;
  private sales = 0;
  private refused = 0;
  private served = 0;

  constructor(
    private readonly origin: string,
    private readonly facts: { readonly apiKey: string; readonly adminKey: string },
    private readonly terminals: readonly string[],
  ) {
    this.seller = new ApiClient(facts);
  }

  async run(options: ProofOptions): Promise<Findings> {
    const flooding = await this.floodingMerchant();
    const payment = await this.longPayment(flooding, options);
    let turn = 0;
    const clients = [
      ...this.terminals.map((terminal) => new Repetition(() => this.sell(terminal))),
      ...Array.from(
        { length: FLOODING_CLIENTS },
        () => new Repetition(() => this.flood(flooding, payment, (turn += 1))),
      ),
      new Repetition(() => this.checkReady()),
    ];
    const seconds = roundCount(options, 60, 8);
    for (let second = 1; second <= seconds; second++) {
      await setTimeout(1_000);
      if (second % 10 === 0)
        options.say(`${second} s, ${this.sales} sales, ${this.served} answers to the flood`);
    }
    await Promise.all(clients.map((client) => client.stop()));
    await this.checkPlacesAreFree();
    const { sales, refused, served, complaints } = this;
    return { complaints, figures: { seconds, sales, served, refused } };
  }

  private async floodingMerchant(): Promise<ApiClient> {
    const operator = <Body>(path: string, body: object) =>
      this.required<Body>(this.seller, 'POST', `/admin/v1/merchants${path}`, body);
    const { id } = await operator<{ id: string }>('', { name: 'Flood', rateLimitPerSecond: 0 });
    await operator(`/${id}/terminals`, { currency: 'USD', isDefault: true });
    const { key } = await operator<{ key: string }>(`/${id}/api-keys`, { name: 'flood' });
    return new ApiClient({ ...this.facts, apiKey: key });
  }

  private async longPayment(flooding: ApiClient, { quick, say }: ProofOptions): Promise<string> {
    const post = (path: string, body: object) =>
      this.required<TransactionResult>(flooding, 'POST', `/v1/transactions/${path}`, body);
    const { id } = await post('physical-sale', { amount: AMOUNT });
    const operations = quick ? OPERATIONS_QUICK : OPERATIONS;
    for (let done = 1; done < operations; done++)
      await post('refund', { originalTransactionId: id, amount: 1 });
    say(`a payment with ${operations} operations`);
    return id;
  }

  private async sell(paymentMethodId: string): Promise<void> {
    const body = { amount: AMOUNT, paymentMethodId };
    const response = await this.seller.send(this.origin, 'POST', '/v1/transactions/physical-sale', { body });
    if (approvedIn(response)) this.sales += 1;
    else this.complaints.push(`a sale of the other merchant was answered ${describeResponse(response)}`);
  }

  private async flood(flooding: ApiClient, payment: string, turn: number): Promise<void> {
    const response =
      turn % 3 === 0
        ? await flooding.send(this.origin, 'POST', '/v1/transactions/refund', {
            body: { originalTransactionId: payment, amount: 1 },
          })
        : await flooding.send(
            this.origin,
            'GET',
            `/v1/transactions/${payment}${turn % 3 === 1 ? '/events' : ''}`,
          );
    if (!response || !ALLOWED.has(response.status))
      this.complaints.push(`the flooding merchant was answered ${describeResponse(response)}`);
    else if (response.status === 429) this.checkRefusal(response);
    else this.served += 1;
  }

  private checkRefusal(response: ApiResponse): void {
    this.refused += 1;
    const { code, status } = JSON.parse(response.text) as ErrorEnvelope;
    const isRight =
      Number(response.headers.get('retry-after')) >= 1 && code === 3000 && status === 'Rejected';
    if (!isRight) this.complaints.push(`a refusal was answered ${describeResponse(response)}`);
  }

  private async checkReady(): Promise<void> {
    const response = await this.seller.send(this.origin, 'GET', '/health/ready');
    if (response?.status !== 200)
      this.complaints.push(`readiness was answered ${describeResponse(response)}`);
    await setTimeout(READY_EVERY_MS);
  }

  /** A place that is not given back would make the merchant's limit smaller for ever. */
  private async checkPlacesAreFree(): Promise<void> {
    let text = '';
    for (const end = Date.now() + ENDED_WITHIN_MS; Date.now() < end; await setTimeout(200)) {
      text = (await this.seller.send(this.origin, 'GET', '/metrics'))?.text ?? '';
      if (/^tillstream_merchant_requests_in_flight_most\{[^}]*\} 0$/m.test(text)) return;
    }
    this.complaints.push('requests are still in flight after their clients have stopped');
  }

  private async required<Body>(client: ApiClient, method: 'POST', path: string, body: object): Promise<Body> {
    const response = await client.send(this.origin, method, path, { body });
    if (response?.status !== 200) throw new Error(`${path} was answered ${describeResponse(response)}`);
    return JSON.parse(response.text) as Body;
  }
}
