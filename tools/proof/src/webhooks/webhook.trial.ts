import type { WebhookEndpointWithSecret } from '@tillstream/contracts';
import { DispatcherProcess } from '../processes/dispatcher.process.js';
import { ServiceProcess } from '../processes/service.process.js';
import { ApiClient, describeResponse, transactionIn } from '../support/api.client.js';
import { inParallel, poll } from '../support/concurrency.js';
import {
  newDeployment,
  sandboxFacts,
  terminalIds,
  type Deployment,
  type Environment,
} from '../support/deployment.js';
import { WebhookReceiver, type Behaviour } from './webhook.receiver.js';

const TERMINALS = 16;
const POLL_MS = 20;

/** A service with a dispatcher, and receivers of the demo merchant. */
export class WebhookTrial {
  readonly deployment: Deployment;
  readonly receivers: WebhookReceiver[] = [];
  /** Operations that ended, each of which makes one event. */
  readonly operationIds = new Set<string>();
  readonly complaints: string[] = [];
  dispatcher: DispatcherProcess | undefined;
  #service: ServiceProcess | undefined;

  constructor(environment: Environment = {}) {
    this.deployment = newDeployment(TERMINALS, environment);
  }

  async start(): Promise<void> {
    this.#service = await ServiceProcess.start(this.deployment);
  }

  get origin(): string {
    return this.#service?.origin ?? '';
  }

  async startDispatcher(): Promise<void> {
    this.dispatcher = new DispatcherProcess(this.deployment);
    await this.dispatcher.ready();
  }

  async killDispatcher(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.dispatcher?.kill(signal);
    this.dispatcher = undefined;
  }

  /** Adds a receiver and its endpoint for all event types. */
  async receive(behaviour: Behaviour): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.open(`receiver ${this.receivers.length + 1}`, behaviour);
    this.receivers.push(receiver);
    const body = { url: receiver.url, eventTypes: ['*'] };
    const created = await this.#api.send(this.origin, 'POST', '/v1/webhook-endpoints', { body });
    if (created?.status !== 200 && created?.status !== 201)
      throw new Error(`the endpoint was not created: ${describeResponse(created)}`);
    JSON.parse(created.text) as WebhookEndpointWithSecret;
    return receiver;
  }

  /** Sells until so many more sales have ended, or until `isOver`. */
  async sell(count: number, isOver: () => boolean = () => false): Promise<void> {
    const wanted = this.operationIds.size + count;
    await inParallel(terminalIds(this.deployment), TERMINALS, async (paymentMethodId) => {
      while (this.operationIds.size < wanted && !isOver()) {
        const body = { paymentMethodId, amount: 1_000 };
        const sold = await this.#api.send(this.origin, 'POST', '/v1/transactions/physical-sale', { body });
        const result = sold && transactionIn(sold);
        if (result?.status === 'Completed') this.operationIds.add(result.id);
      }
    });
  }

  /** Until each of these receivers has all operations. Complains after `timeoutMs`. */
  async untilReceived(receivers: readonly WebhookReceiver[], timeoutMs: number): Promise<void> {
    const missing = (): number =>
      receivers.reduce((sum, { received }) => {
        const came = new Set([...received.values()].map(({ operationId }) => operationId));
        return sum + [...this.operationIds].filter((id) => !came.has(id)).length;
      }, 0);
    const left = await poll(missing, (count) => count === 0, timeoutMs, POLL_MS);
    if (left > 0) this.complaints.push(`${left} deliveries did not come within ${timeoutMs} ms`);
  }

  async close(): Promise<void> {
    await this.dispatcher?.kill();
    await this.#service?.kill();
    for (const receiver of this.receivers) receiver.close();
    this.deployment.remove();
  }

  get #api(): ApiClient {
    return new ApiClient(sandboxFacts(this.deployment));
  }
}
