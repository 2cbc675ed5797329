import { streamOfOperation } from '@tillstream/domain';
import { Histories } from '../audit/histories.js';
import { startPair } from '../processes/service.process.js';
import { roundCount, type Proof } from '../proof.types.js';
import { approvedTransaction, type ClientRequest, type FollowUpKind } from '../support/client.request.js';
import { pickOne, randomUpTo } from '../support/concurrency.js';
import { newDeployment, terminalIds } from '../support/deployment.js';
import { PaymentTrial, type PaymentClient } from '../support/payment.trial.js';
import { checkResponse } from './race.checker.js';

const RACERS = 20;
const TOTAL = 10_000;
const RESOLUTION_TIMEOUT_MS = 60_000;

/** An operation that the requests of a round name, with the kinds of requests. */
interface Target {
  readonly id: string;
  readonly kinds: readonly [FollowUpKind, ...FollowUpKind[]];
}
type Targets = readonly [Target, ...Target[]];

export const races: Proof = {
  name: 'races',
  claim: 'captures, voids and refunds racing on one payment never take more than there is (rounds: payments)',
  async run(options) {
    const rounds = roundCount(options, 100, 4);
    const trial = new PaymentTrial(newDeployment(2));
    const { origins, stop } = await startPair(trial.deployment);
    const histories = await Histories.open(trial.deployment);
    const results = new Map<string, number>();
    try {
      const client = trial.client(...origins);
      const [terminal] = terminalIds(trial.deployment);
      for (let round = 0; round < rounds; round++) {
        const targets = await preparePayment(round, client, terminal);
        const racing = Array.from({ length: RACERS }, () => randomFollowUp(client, targets));
        await client.sendAtOnce(racing);
        const open = await histories.waitUntilResolved(RESOLUTION_TIMEOUT_MS);
        trial.complaints.push(...open.map((id) => `${id} is still open`));
        const paymentStream = streamOfOperation(targets[0].id);
        const history = histories.all().find(({ stream }) => stream === paymentStream);
        for (const one of racing) {
          const [response] = one.responses;
          const { result, complaint } =
            response && history
              ? checkResponse(one, response, history)
              : { result: 'nothing', complaint: one.key };
          results.set(result, (results.get(result) ?? 0) + 1);
          if (complaint !== undefined) trial.complaints.push(complaint);
        }
        if ((round + 1) % 20 === 0)
          options.say(`${round + 1} of ${rounds} rounds, ${trial.complaints.length} complaints`);
      }
    } finally {
      await histories.close();
      await stop();
    }
    return trial.finish({ rounds, ...Object.fromEntries([...results].sort()) });
  },
};

/** Makes an authorization with one capture, or a sale. */
async function preparePayment(
  round: number,
  client: PaymentClient,
  terminal: string | undefined,
): Promise<Targets> {
  if (round % 2 === 1) {
    const id = await client.approved('Sale', TOTAL, terminal);
    return [{ id, kinds: ['Refund', 'Void', 'Refund', 'Capture'] }];
  }
  const id = await client.approved('Auth', TOTAL, terminal);
  const capture = client.newRequest('Capture', {
    originalTransactionId: id,
    amount: 1 + randomUpTo(TOTAL / 2),
  });
  await client.insist(capture, RESOLUTION_TIMEOUT_MS);
  const captured = approvedTransaction(capture);
  return [
    { id, kinds: ['Capture', 'Void', 'Capture', 'Refund'] },
    ...(captured ? [{ id: captured.id, kinds: ['Refund', 'Void'] } as const] : []),
  ];
}

function randomFollowUp(client: PaymentClient, targets: Targets): ClientRequest {
  const { id, kinds } = pickOne(targets);
  const amount = pickOne([randomUpTo(TOTAL / 10), randomUpTo(TOTAL), TOTAL, undefined]);
  return client.newRequest(pickOne(kinds), { originalTransactionId: id, amount });
}
