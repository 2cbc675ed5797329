import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { KilledCloser } from '../processes/killed.closer.js';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Proof, type ProofOptions } from '../proof.types.js';
import { ApiClient } from '../support/api.client.js';
import { approvedTransaction, type RequestBody, type RequestKind } from '../support/client.request.js';
import { inParallel, pickOne, poll, randomUpTo, Repetition } from '../support/concurrency.js';
import { newDeployment, sandboxFacts, terminalIds, type Deployment } from '../support/deployment.js';
import { PaymentTrial, type PaymentClient } from '../support/payment.trial.js';
import { checkBatches } from './batch.checker.js';

const CONCURRENCY = 16;
const BATCHING_TIMEOUT_MS = 300_000;
const RESOLUTION_TIMEOUT_MS = 120_000;

export const batchClose: Proof = {
  name: 'batch-close',
  claim:
    'while the closer is killed and requests race with it, every operation is in exactly one batch, and totals are the sums (rounds: payments)',
  least: { items: 151 },
  async run(options) {
    const kills = options.quick ? 2 : 20;
    const trial = new PaymentTrial(newDeployment(CONCURRENCY));
    const { deployment, complaints } = trial;
    const api = await ServiceProcess.start(deployment);
    const closer = new KilledCloser(deployment, options.say);
    const operator = new ClosingOperator(deployment, api.origin);
    try {
      const stopClosing = operator.start();
      const killing = closer.kill(kills);
      await load(trial.client(api.origin), terminalIds(deployment), options);
      await killing;
      await stopClosing();
      await trial.untilResolved(RESOLUTION_TIMEOUT_MS);
      complaints.push(...(await operator.waitUntilBatched(closer)));
    } finally {
      await closer.stop();
      await api.stop();
    }
    const { unbatched, complaints: wrong, ...batched } = await checked(deployment);
    if (unbatched > 0) complaints.push(`${unbatched} items are in no batch`);
    complaints.push(...wrong);
    return trial.finish({ kills, ...batched });
  },
};

/** Sends sales and authorizations with random follow-ups while batches close. */
async function load(
  client: PaymentClient,
  terminals: readonly string[],
  options: ProofOptions,
): Promise<void> {
  const payments = roundCount(options, 20_000, 250);
  /** Returns the id of the operation if it was approved. */
  const insist = async (kind: RequestKind, body: Omit<RequestBody, 'referenceId'>) => {
    const request = client.newRequest(kind, body);
    await client.insist(request, RESOLUTION_TIMEOUT_MS);
    return approvedTransaction(request)?.id;
  };
  const numbers = Array.from({ length: payments }, (_, number) => number);
  await inParallel(numbers, CONCURRENCY, async (number) => {
    const paymentMethodId = terminals[number % terminals.length];
    const amount = 100 + randomUpTo(90_000);
    const isAuth = number % 4 === 0;
    let originalTransactionId = await insist(isAuth ? 'Auth' : 'Sale', { amount, paymentMethodId });
    if (originalTransactionId !== undefined && isAuth)
      originalTransactionId = await insist('Capture', { originalTransactionId, amount: randomUpTo(amount) });
    // Voids and refunds, in part or in full, with random pauses, so that some meet a closing batch.
    let followUps = originalTransactionId === undefined ? 0 : pickOne([0, 0, 0, 1, 1, 2]);
    for (; followUps > 0; followUps--) {
      await setTimeout(randomUpTo(400));
      const part = pickOne([undefined, randomUpTo(amount), randomUpTo(Math.ceil(amount / 4))]);
      await insist(pickOne(['Void', 'Refund', 'Refund']), { originalTransactionId, amount: part });
    }
    if ((number + 1) % 2_000 === 0) options.say(`${number + 1} of ${payments} payments`);
  });
}

/** An operator that closes batches of the demo merchant. */
class ClosingOperator {
  constructor(
    private readonly deployment: Deployment,
    private readonly origin: string,
  ) {}

  /** Closes all the time, until the returned function is called. */
  start(): () => Promise<void> {
    const closing = new Repetition(async () => {
      await this.close();
      await setTimeout(randomUpTo(600));
    });
    return () => closing.stop();
  }

  /** An empty batch stays open: then no item is left. */
  async waitUntilBatched(closer: KilledCloser): Promise<string[]> {
    const isBatched = await poll(
      async () => {
        const [batch] = await this.close();
        return batch?.status === 'Open' && batch.transactionCount === 0;
      },
      Boolean,
      BATCHING_TIMEOUT_MS,
      200,
    );
    if (isBatched) return [];
    return [`batches were not done within ${BATCHING_TIMEOUT_MS} ms: ${closer.logged.slice(-1_000)}`];
  }

  private async close(): Promise<readonly { readonly status: string; readonly transactionCount: number }[]> {
    const facts = sandboxFacts(this.deployment);
    const path = `/admin/v1/merchants/${facts.merchantId}/batches/close`;
    const body = { currency: 'USD' };
    const response = await new ApiClient(facts).send(this.origin, 'POST', path, { body });
    return response?.status === 200 ? (JSON.parse(response.text) as { data: [] }).data : [];
  }
}

async function checked({ dataDir }: Deployment) {
  const store = await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true });
  try {
    return await checkBatches(store);
  } finally {
    await store.close();
  }
}
