import { setTimeout } from 'node:timers/promises';
import type { NamedReport } from '../audit/deployment.audit.js';
import { ServiceProcess } from '../processes/service.process.js';
import { StoreProcess } from '../processes/store.process.js';
import { approvedTransaction, errorIn, type ClientRequest } from '../support/client.request.js';
import { newDeployment, terminalIds } from '../support/deployment.js';
import { PaymentTrial, type PaymentClient } from '../support/payment.trial.js';
import { Repetition } from '../support/concurrency.js';

const CLIENTS = 10;
/** After this time without a response the client sends the request again under its key. */
const CLIENT_TIMEOUT_MS = 1_200;
const PAUSE_MS = 150;
/** Enough for several attempts during one freeze. */
const ATTEMPTS_MAX = 12;
const FROZEN_MS = 5_500;
const BETWEEN_MS = 1_500;
const RESOLUTION_TIMEOUT_MS = 90_000;

interface FrozenReport extends NamedReport {
  /** `count × status`, for the result line. */
  readonly responseCounts: string;
}

/** Freezes the store (SIGSTOP) again and again while clients sell, refund and repeat requests. */
export async function frozenStore(times: number, say: (line: string) => void): Promise<FrozenReport> {
  const store = await StoreProcess.start();
  const trial = new PaymentTrial(
    newDeployment(CLIENTS, {
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: store.url,
      EVENTSTOREDB_DEADLINE_MS: '400',
      BREAKER_FAILURES: '0',
    }),
  );
  let service: ServiceProcess | undefined;
  let clients: Repetition[] = [];
  const stopClients = () => Promise.all(clients.map((one) => one.stop()));
  try {
    service = await ServiceProcess.start(trial.deployment);
    const client = trial.client(service.origin);
    // Each sells and refunds on its own terminal, one request at a time.
    clients = terminalIds(trial.deployment).map(
      (terminal) => new Repetition(() => sellAndRefund(client, terminal)),
    );
    for (let time = 1; time <= times; time++) {
      await setTimeout(BETWEEN_MS);
      store.freeze();
      await setTimeout(FROZEN_MS);
      store.thaw();
      say(`frozen ${time} of ${times} times, ${trial.requests.length} requests`);
    }
    await setTimeout(BETWEEN_MS);
    await stopClients();
    await trial.untilResolved(RESOLUTION_TIMEOUT_MS);
    await service.stop();
    const responseCounts = countResponses(trial.requests);
    return { ...(await trial.audit()), name: 'standing still', responseCounts };
  } finally {
    await stopClients();
    await service?.kill();
    await store.stop();
    trial.deployment.remove();
  }
}

function countResponses(requests: readonly ClientRequest[]): string {
  const counts = new Map<string, number>();
  for (const response of requests.flatMap(({ responses }) => responses)) {
    const error = errorIn(response);
    const word = error ? `${response.status} ${error.status}` : String(response.status);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} × ${word}`).join(', ');
}

async function sellAndRefund(client: PaymentClient, paymentMethodId: string): Promise<void> {
  const sale = client.newRequest('Sale', { amount: 1_000, paymentMethodId });
  await sendUntilApproved(client, sale);
  const approved = approvedTransaction(sale);
  if (!approved) return;
  const refund = client.newRequest('Refund', { originalTransactionId: approved.id, amount: 100 });
  await sendUntilApproved(client, refund);
  await setTimeout(PAUSE_MS);
}

/** Repeats a request until the response is 200. */
async function sendUntilApproved(client: PaymentClient, request: ClientRequest): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const response = await client.send(request, undefined, CLIENT_TIMEOUT_MS);
    if (response?.status === 200) return;
    await setTimeout(PAUSE_MS);
  }
}
