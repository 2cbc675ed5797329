import { newRequest, operationIdIn, errorIn, type ClientRequest } from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { auditDeployment } from '../audit/deployment.audit.js';
import { unresolvedAfter } from '../audit/histories.js';
import { randomUpTo } from '../support/concurrency.js';
import { makeOriginal } from '../support/original.payment.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { startPair } from '../processes/service.pair.js';
import { sandboxFacts, newDeployment, terminalIds } from '../support/deployment.js';

const CONCURRENT_REQUESTS = 20;
const RESOLUTION_TIMEOUT_MS = 60_000;

export const idempotency: Proof = {
  name: 'idempotency',
  claim:
    'twenty equal concurrent requests on two processes make one operation and one response (rounds: keys)',
  async run(options: ProofOptions): Promise<Findings> {
    const keys = roundCount(options, 100, 8);
    const deployment = newDeployment({ terminals: 2 });
    const { processes, stop } = await startPair(deployment);
    const requests: ClientRequest[] = [];
    const complaints: string[] = [];
    const totals = { requests: 0, answered: 0, replayed: 0, running: 0 };
    try {
      const origins = processes.map(({ origin }) => origin);
      const client = new PaymentClient(origins, sandboxFacts(deployment).apiKey);
      const [terminal] = terminalIds(deployment);
      for (let key = 0; key < keys; key++) {
        const one = await newContestedRequest(client, key, terminal, requests);
        requests.push(one);
        await Promise.all(
          Array.from({ length: CONCURRENT_REQUESTS }, (_, n) =>
            client.send(one, origins[n % origins.length]),
          ),
        );
        complaints.push(...concurrentErrors(one));
        totals.requests += CONCURRENT_REQUESTS;
        totals.running += one.responses.filter(({ status }) => status === 409).length;
        complaints.push(...(await repeatErrors(client, origins, one)));
        totals.replayed += one.responses.filter(({ replayed }) => replayed).length;
        totals.answered += one.responses.filter(({ status }) => status === 200).length;
        if ((key + 1) % 25 === 0) options.say(`${key + 1} of ${keys} keys, ${complaints.length} complaints`);
      }
      const open = await unresolvedAfter(deployment, RESOLUTION_TIMEOUT_MS);
      complaints.push(...open.map((id) => `${id} is still open`));
    } finally {
      await stop();
    }
    const { complaints: wrong, ...figures } = await auditDeployment(deployment, requests);
    deployment.remove();
    return { complaints: [...complaints, ...wrong], figures: { keys, ...totals, ...figures } };
  },
};

async function newContestedRequest(
  client: PaymentClient,
  key: number,
  terminal: string | undefined,
  requests: ClientRequest[],
): Promise<ClientRequest> {
  const amount = 100 + randomUpTo(90_000);
  const at = terminal === undefined ? {} : { paymentMethodId: terminal };
  switch (key % 4) {
    case 0:
      return newRequest('Sale', { amount, ...at });
    case 1:
      return newRequest('Auth', { amount, ...at });
    case 2: {
      const { id } = await makeOriginal(client, 'Auth', amount, terminal, requests);
      return newRequest('Capture', { originalTransactionId: id });
    }
    default: {
      const { id } = await makeOriginal(client, 'Sale', amount, terminal, requests);
      return newRequest('Refund', { originalTransactionId: id, amount: randomUpTo(amount) });
    }
  }
}

function concurrentErrors({ key, responses }: ClientRequest): string[] {
  const complaints: string[] = [];
  if (responses.length !== CONCURRENT_REQUESTS)
    complaints.push(`${key}: ${CONCURRENT_REQUESTS - responses.length} of ${CONCURRENT_REQUESTS} unanswered`);
  for (const one of responses) {
    const fits =
      one.status === 200 ||
      (one.status === 409 && errorIn(one)?.code === 3401) ||
      (one.status === 500 && operationIdIn(one) !== undefined);
    if (!fits) complaints.push(`${key}: answered ${one.status} ${one.text}`);
  }
  return complaints;
}

/** Every process must replay the same bytes; the audit compares them with all earlier responses. */
async function repeatErrors(
  client: PaymentClient,
  origins: readonly string[],
  one: ClientRequest,
): Promise<string[]> {
  const complaints: string[] = [];
  for (const origin of origins) {
    const response = await client.send(one, origin);
    if (!response || response.status === 409)
      complaints.push(`${one.key}: a repeat gives ${response?.status ?? 'nothing'}`);
    else if (!response.replayed) complaints.push(`${one.key}: a repeat is not marked as one`);
  }
  return complaints;
}
