import { setTimeout } from 'node:timers/promises';
import { approvedTransaction, newRequest, errorIn, type ClientRequest } from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { auditDeployment, type AuditReport } from '../audit/deployment.audit.js';
import { unresolvedAfter } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import {
  sandboxFacts,
  freePort,
  newDeployment,
  terminalIds,
  type Deployment,
} from '../support/deployment.js';
import { StoreProcess } from '../processes/store.process.js';

const CLIENTS = 10;
/** After this time without a response the client sends the request again under its key. */
const CLIENT_TIMEOUT_MS = 1_200;
const PAUSE_MS = 150;
/** Enough for several attempts during one freeze. */
const ATTEMPTS_MAX = 12;
const FROZEN_MS = 5_500;
const BETWEEN_MS = 1_500;
const RESOLUTION_TIMEOUT_MS = 90_000;

export interface Frozen extends AuditReport {
  readonly name: string;
  /** Counts by status. */
  readonly responseCounts: Readonly<Record<string, number>>;
}

/** Freezes the store (SIGSTOP) again and again while clients sell, refund and repeat requests. */
export async function frozenStore(times: number, say: (line: string) => void): Promise<Frozen> {
  const store = await StoreProcess.start();
  const deployment = newDeployment({
    terminals: CLIENTS,
    environment: {
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: store.url,
      EVENTSTOREDB_DEADLINE_MS: '400',
      BREAKER_FAILURES: '0',
    },
  });
  let service: ServiceProcess | undefined;
  const clients = new RepeatingClients(deployment);
  try {
    service = await ServiceProcess.start(deployment, { port: await freePort() });
    clients.start(service.origin);
    for (let time = 1; time <= times; time++) {
      await setTimeout(BETWEEN_MS);
      store.freeze();
      await setTimeout(FROZEN_MS);
      store.thaw();
      say(`frozen ${time} of ${times} times, ${clients.requests.length} requests`);
    }
    await setTimeout(BETWEEN_MS);
    await clients.stop();
    const open = await unresolvedAfter(deployment, RESOLUTION_TIMEOUT_MS);
    await service.stop();
    const report = await auditDeployment(deployment, clients.requests);
    const complaints = [
      ...open.map((id) => `${id} is open ${RESOLUTION_TIMEOUT_MS} ms after the last thaw`),
      ...report.complaints,
    ];
    return {
      ...report,
      name: 'standing still',
      complaints,
      responseCounts: countResponses(clients.requests),
    };
  } finally {
    await clients.stop();
    await service?.kill();
    await store.stop();
    deployment.remove();
  }
}

function countResponses(requests: readonly ClientRequest[]): Record<string, number> {
  const responseCounts: Record<string, number> = {};
  for (const response of requests.flatMap((one) => one.responses)) {
    const error = errorIn(response);
    const word = error ? `${response.status} ${error.status}` : String(response.status);
    responseCounts[word] = (responseCounts[word] ?? 0) + 1;
  }
  return responseCounts;
}

/** Each client sells and refunds on its own terminal, one request at a time. */
class RepeatingClients {
  readonly requests: ClientRequest[] = [];
  private lanes: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(private readonly deployment: Deployment) {}

  start(origin: string): void {
    const client = new PaymentClient([origin], sandboxFacts(this.deployment).apiKey);
    const terminals = terminalIds(this.deployment).slice(0, CLIENTS);
    this.lanes = Promise.all(terminals.map((terminal) => this.run(client, terminal)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.lanes;
  }

  private async run(client: PaymentClient, paymentMethodId: string): Promise<void> {
    while (!this.stopped) {
      const sale = await this.insist(client, newRequest('Sale', { amount: 1_000, paymentMethodId }));
      const approved = approvedTransaction(sale);
      if (!approved) continue;
      await this.insist(client, newRequest('Refund', { originalTransactionId: approved.id, amount: 100 }));
      await setTimeout(PAUSE_MS);
    }
  }

  /** Repeats a request until the response is 200. */
  private async insist(client: PaymentClient, request: ClientRequest): Promise<ClientRequest> {
    this.requests.push(request);
    for (let time = 1; time <= ATTEMPTS_MAX; time++) {
      const response = await client.send(request, undefined, CLIENT_TIMEOUT_MS);
      if (response?.status === 200) break;
      await setTimeout(PAUSE_MS);
    }
    return request;
  }
}
