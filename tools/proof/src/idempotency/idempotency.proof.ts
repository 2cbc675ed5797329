import { startPair } from '../processes/service.process.js';
import { roundCount, type Proof } from '../proof.types.js';
import { errorIn, operationIdIn, type ClientRequest } from '../support/client.request.js';
import { randomUpTo } from '../support/concurrency.js';
import { newDeployment, terminalIds } from '../support/deployment.js';
import { PaymentTrial, type PaymentClient } from '../support/payment.trial.js';

const CONCURRENT_REQUESTS = 20;
const RESOLUTION_TIMEOUT_MS = 60_000;

export const idempotency: Proof = {
  name: 'idempotency',
  claim:
    'twenty equal concurrent requests on two processes make one operation and one response (rounds: keys)',
  async run(options) {
    const keys = roundCount(options, 100, 8);
    const trial = new PaymentTrial(newDeployment(2));
    const { origins, stop } = await startPair(trial.deployment);
    const totals = { requests: 0, answered: 0, replayed: 0, running: 0 };
    try {
      const client = trial.client(...origins);
      const [terminal] = terminalIds(trial.deployment);
      for (let key = 0; key < keys; key++) {
        const one = await newContestedRequest(client, key, terminal);
        await client.sendAtOnce(Array<ClientRequest>(CONCURRENT_REQUESTS).fill(one));
        checkConcurrent(trial, one);
        totals.requests += CONCURRENT_REQUESTS;
        totals.running += one.responses.filter(({ status }) => status === 409).length;
        await checkRepeats(trial, client, one);
        totals.replayed += one.responses.filter(({ replayed }) => replayed).length;
        totals.answered += one.responses.filter(({ status }) => status === 200).length;
        if ((key + 1) % 25 === 0)
          options.say(`${key + 1} of ${keys} keys, ${trial.complaints.length} complaints`);
      }
      await trial.untilResolved(RESOLUTION_TIMEOUT_MS);
    } finally {
      await stop();
    }
    return trial.finish({ keys, ...totals });
  },
};

async function newContestedRequest(
  client: PaymentClient,
  key: number,
  paymentMethodId: string | undefined,
): Promise<ClientRequest> {
  const amount = 100 + randomUpTo(90_000);
  if (key % 4 < 2) return client.newRequest(key % 4 === 0 ? 'Sale' : 'Auth', { amount, paymentMethodId });
  const isCapture = key % 4 === 2;
  const originalTransactionId = await client.approved(isCapture ? 'Auth' : 'Sale', amount, paymentMethodId);
  return client.newRequest(isCapture ? 'Capture' : 'Refund', {
    originalTransactionId,
    amount: isCapture ? undefined : randomUpTo(amount),
  });
}

function checkConcurrent(trial: PaymentTrial, { key, responses }: ClientRequest): void {
  const missing = CONCURRENT_REQUESTS - responses.length;
  trial.check(missing === 0, `${key}: ${missing} of ${CONCURRENT_REQUESTS} unanswered`);
  for (const one of responses) {
    const fits =
      one.status === 200 ||
      (one.status === 409 && errorIn(one)?.code === 3401) ||
      (one.status === 500 && operationIdIn(one) !== undefined);
    trial.check(fits, `${key}: answered ${one.status} ${one.text}`);
  }
}

/** Every process must replay the same bytes; the audit compares them with all earlier responses. */
async function checkRepeats(trial: PaymentTrial, client: PaymentClient, one: ClientRequest): Promise<void> {
  for (const origin of client.origins) {
    const response = await client.send(one, origin);
    if (!response || response.status === 409)
      trial.complaints.push(`${one.key}: a repeat gives ${response?.status ?? 'nothing'}`);
    else trial.check(response.replayed, `${one.key}: a repeat is not marked as one`);
  }
}
