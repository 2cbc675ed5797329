import { streamOfOperation } from '@tillstream/domain';
import { approvedTransaction, newRequest, type ClientRequest } from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { auditDeployment } from '../audit/deployment.audit.js';
import { Histories } from '../audit/histories.js';
import { pickOne, randomUpTo } from '../support/concurrency.js';
import { makeOriginal } from '../support/original.payment.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { checkResponse } from './race.checker.js';
import { startPair } from '../processes/service.pair.js';
import { sandboxFacts, newDeployment, terminalIds } from '../support/deployment.js';

const RACERS = 20;
const TOTAL = 10_000;
const RESOLUTION_TIMEOUT_MS = 60_000;

/** The payment of a round, with the originals that its requests name. */
interface RacedPayment {
  readonly stream: string;
  readonly targets: readonly [Target, ...Target[]];
}

interface Target {
  readonly id: string;
  readonly kinds: readonly [FollowUpKind, ...FollowUpKind[]];
}
type FollowUpKind = 'Capture' | 'Refund' | 'Void';

export const races: Proof = {
  name: 'races',
  claim: 'captures, voids and refunds racing on one payment never take more than there is (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const rounds = roundCount(options, 100, 4);
    const deployment = newDeployment({ terminals: 2 });
    const { processes, stop } = await startPair(deployment);
    const histories = await Histories.open(deployment);
    const requests: ClientRequest[] = [];
    const complaints: string[] = [];
    const result = new Map<string, number>();
    try {
      const origins = processes.map(({ origin }) => origin);
      const client = new PaymentClient(origins, sandboxFacts(deployment).apiKey);
      const [terminal] = terminalIds(deployment);
      for (let round = 0; round < rounds; round++) {
        const raced = await preparePayment(round, client, terminal, requests);
        const racing = Array.from({ length: RACERS }, () => randomFollowUp(raced));
        requests.push(...racing);
        await Promise.all(racing.map((one, n) => client.send(one, origins[n % origins.length])));
        const open = await histories.waitUntilResolved(RESOLUTION_TIMEOUT_MS);
        complaints.push(...open.map((id) => `${id} is still open`));
        const history = histories.all().find(({ stream }) => stream === raced.stream);
        for (const one of racing) {
          const [response] = one.responses;
          const checked =
            response && history
              ? checkResponse(one, response, history)
              : { result: 'nothing', complaint: one.key };
          result.set(checked.result, (result.get(checked.result) ?? 0) + 1);
          if (checked.complaint !== undefined) complaints.push(checked.complaint);
        }
        if ((round + 1) % 20 === 0)
          options.say(`${round + 1} of ${rounds} rounds, ${complaints.length} complaints`);
      }
    } finally {
      await histories.close();
      await stop();
    }
    const { complaints: wrong, ...figures } = await auditDeployment(deployment, requests);
    deployment.remove();
    return {
      complaints: [...complaints, ...wrong],
      figures: { rounds, ...Object.fromEntries([...result].sort()), ...figures },
    };
  },
};

/** Makes an authorization with one capture, or a sale. */
async function preparePayment(
  round: number,
  client: PaymentClient,
  terminal: string | undefined,
  requests: ClientRequest[],
): Promise<RacedPayment> {
  if (round % 2 === 1) {
    const { id } = await makeOriginal(client, 'Sale', TOTAL, terminal, requests);
    return {
      stream: streamOfOperation(id) ?? '',
      targets: [{ id, kinds: ['Refund', 'Void', 'Refund', 'Capture'] }],
    };
  }
  const { id } = await makeOriginal(client, 'Auth', TOTAL, terminal, requests);
  const capture = newRequest('Capture', { originalTransactionId: id, amount: 1 + randomUpTo(TOTAL / 2) });
  requests.push(capture);
  await client.insist(capture, RESOLUTION_TIMEOUT_MS);
  const captured = approvedTransaction(capture);
  return {
    stream: streamOfOperation(id) ?? '',
    targets: [
      { id, kinds: ['Capture', 'Void', 'Capture', 'Refund'] },
      ...(captured ? [{ id: captured.id, kinds: ['Refund', 'Void'] } as const] : []),
    ],
  };
}

function randomFollowUp({ targets }: RacedPayment): ClientRequest {
  const { id, kinds } = pickOne(targets);
  const amount = pickOne([randomUpTo(TOTAL / 10), randomUpTo(TOTAL), TOTAL, undefined]);
  return newRequest(pickOne(kinds), { originalTransactionId: id, ...(amount !== undefined && { amount }) });
}
