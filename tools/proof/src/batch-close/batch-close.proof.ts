import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { approvedTransaction, newRequest, type ClientRequest } from '../support/client.request.js';
import { checkBatches } from './batch.checker.js';
import { PaymentClient } from '../support/payment.client.js';
import { auditDeployment } from '../audit/deployment.audit.js';
import { unresolvedAfter } from '../audit/histories.js';
import { inParallel, pickOne, randomUpTo } from '../support/concurrency.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { ServiceProcess } from '../processes/service.process.js';
import { SettlementProcess } from '../processes/settlement.process.js';
import {
  sandboxFacts,
  freePort,
  newDeployment,
  terminalIds,
  type Deployment,
} from '../support/deployment.js';

const CONCURRENCY = 16;
const BATCHING_TIMEOUT_MS = 300_000;
const RESOLUTION_TIMEOUT_MS = 120_000;

export const batchClose: Proof = {
  name: 'batch-close',
  claim:
    'while the closer is killed and requests race with it, every operation is in exactly one batch, and totals are the sums (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const payments = roundCount(options, 20_000, 250);
    const kills = options.quick ? 2 : 20;
    // Batches are closed by the killed process alone, not by the API.
    const deployment = newDeployment({
      terminals: CONCURRENCY,
      environment: { SETTLEMENT_PROJECTOR: 'elsewhere' },
    });
    const api = await ServiceProcess.start(deployment, { port: await freePort() });
    const requests: ClientRequest[] = [];
    const complaints: string[] = [];
    const closer = new RestartedCloser(deployment, kills, options);
    try {
      const client = new PaymentClient([api.origin], sandboxFacts(deployment).apiKey);
      const closing = closer.run(api.origin);
      await load(client, terminalIds(deployment), payments, requests, options);
      await closing;
      complaints.push(...(await unresolved(deployment)));
      complaints.push(...(await closer.waitUntilBatched(api.origin)));
    } finally {
      await closer.stop();
      await api.stop();
    }
    const { unbatched, complaints: wrong, ...figures } = await checked(deployment);
    if (unbatched > 0) complaints.push(`${unbatched} items are in no batch`);
    const { complaints: others, ...report } = await auditDeployment(deployment, requests);
    deployment.remove();
    return {
      complaints: [...complaints, ...wrong, ...others],
      figures: { kills: closer.kills, ...figures, ...report },
    };
  },
};

/** Sends sales and authorizations with random follow-ups while batches close. */
async function load(
  client: PaymentClient,
  terminals: readonly string[],
  payments: number,
  requests: ClientRequest[],
  { say }: ProofOptions,
): Promise<void> {
  const numbers = Array.from({ length: payments }, (_, number) => number);
  await inParallel(numbers, CONCURRENCY, async (number) => {
    const terminal = terminals[number % terminals.length];
    const amount = 100 + randomUpTo(90_000);
    const isAuth = number % 4 === 0;
    const first = newRequest(isAuth ? 'Auth' : 'Sale', {
      amount,
      ...(terminal !== undefined && { paymentMethodId: terminal }),
    });
    requests.push(first);
    await client.insist(first, RESOLUTION_TIMEOUT_MS);
    let { id } = approvedTransaction(first) ?? {};
    if (id !== undefined && isAuth) {
      const capture = newRequest('Capture', { originalTransactionId: id, amount: randomUpTo(amount) });
      requests.push(capture);
      await client.insist(capture, RESOLUTION_TIMEOUT_MS);
      id = approvedTransaction(capture)?.id;
    }
    if (id !== undefined) await reversePart(client, id, amount, requests);
    if ((number + 1) % 2_000 === 0) say(`${number + 1} of ${payments} payments`);
  });
}

/** Voids and refunds, in part or in full, with random pauses, so that some meet a closing batch. */
async function reversePart(
  client: PaymentClient,
  id: string,
  amount: number,
  requests: ClientRequest[],
): Promise<void> {
  const some = pickOne([0, 0, 0, 1, 1, 2]);
  for (let one = 0; one < some; one++) {
    await setTimeout(randomUpTo(400));
    const part = pickOne([undefined, randomUpTo(amount), randomUpTo(Math.ceil(amount / 4))]);
    const back = newRequest(pickOne(['Void', 'Refund', 'Refund']), {
      originalTransactionId: id,
      ...(part !== undefined && { amount: part }),
    });
    requests.push(back);
    await client.insist(back, RESOLUTION_TIMEOUT_MS);
  }
}

/** The closing process, killed at random moments and started again, while an operator closes batches all the time. */
class RestartedCloser {
  kills = 0;
  private process: SettlementProcess;
  private isLoaded = false;

  constructor(
    private readonly deployment: Deployment,
    private readonly most: number,
    private readonly options: ProofOptions,
  ) {
    this.process = SettlementProcess.spawn(deployment);
  }

  /** Resolves when all kills are done. */
  async run(origin: string): Promise<void> {
    const commands = this.command(origin);
    while (this.kills < this.most) {
      await this.process.started();
      await setTimeout(randomUpTo(2_000));
      await this.process.kill('SIGKILL');
      this.kills += 1;
      this.options.say(`killed ${this.kills} of ${this.most}`);
      this.process = SettlementProcess.spawn(this.deployment);
    }
    await this.process.started();
    this.isLoaded = true;
    await commands;
  }

  /** An empty batch stays open: then no item is left. */
  async waitUntilBatched(origin: string): Promise<string[]> {
    const until = performance.now() + BATCHING_TIMEOUT_MS;
    while (performance.now() < until) {
      const [batch] = await this.close(origin);
      if (batch?.status === 'Open' && batch.transactionCount === 0) return [];
      await setTimeout(200);
    }
    return [`batches were not done within ${BATCHING_TIMEOUT_MS} ms: ${this.process.logged.slice(-1_000)}`];
  }

  async stop(): Promise<void> {
    await this.process.kill('SIGTERM');
  }

  private async command(origin: string): Promise<void> {
    while (!this.isLoaded) {
      await this.close(origin);
      await setTimeout(randomUpTo(600));
    }
  }

  private async close(
    origin: string,
  ): Promise<readonly { readonly status: string; readonly transactionCount: number }[]> {
    const { adminKey, merchantId } = sandboxFacts(this.deployment);
    try {
      const response = await fetch(`${origin}/admin/v1/merchants/${merchantId}/batches/close`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': adminKey },
        body: JSON.stringify({ currency: 'USD' }),
        signal: AbortSignal.timeout(20_000),
      });
      return response.ok ? ((await response.json()) as { data: [] }).data : [];
    } catch {
      return [];
    }
  }
}

async function unresolved(deployment: Deployment): Promise<string[]> {
  const open = await unresolvedAfter(deployment, RESOLUTION_TIMEOUT_MS);
  return open.map((id) => `${id} has no outcome`);
}

async function checked({ dataDir }: Deployment) {
  const store = await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true });
  try {
    return await checkBatches(store);
  } finally {
    await store.close();
  }
}
