import type { Operation } from '@tillstream/domain';
import { mergeReports, readLedger, type NamedReport } from '../audit/deployment.audit.js';
import { Histories } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Proof, type ProofOptions } from '../proof.types.js';
import { describeResponse, transactionIn } from '../support/api.client.js';
import {
  approvedTransaction,
  isRejection,
  type ClientRequest,
  type ClientResponse,
} from '../support/client.request.js';
import { inParallel, randomUpTo } from '../support/concurrency.js';
import { newDeployment, SHORT_LATE_INQUIRIES, terminalIds, type Deployment } from '../support/deployment.js';
import { PaymentTrial, type PaymentClient } from '../support/payment.trial.js';

const KINDS = ['Sale', 'Capture', 'Refund'] as const;
type Kind = (typeof KINDS)[number];
/** Between the commit of the request event and the send. */
const POINTS = ['after-request', 'before-send'] as const;
const HALT_TIMEOUT_MS = 30_000;
const RESOLUTION_TIMEOUT_MS = 90_000;
const HALTED_RESPONSE_TIMEOUT_MS = 120_000;
const LOCK_HELD = 'HeldTheLock';
const NOT_TRIED = 'not tried';

export const stoppedProcess: Proof = {
  name: 'stopped-process',
  claim:
    'a process that halts before sending and goes on later makes no charge without a record (rounds: per kind)',
  async run(options) {
    const rounds = roundCount(options, 10, 1);
    return mergeReports(await inParallel(KINDS, KINDS.length, (kind) => runRounds(kind, rounds, options)));
  },
};

async function runRounds(kind: Kind, rounds: number, { say }: ProofOptions): Promise<NamedReport> {
  const trial = new HaltTrial(newDeployment(2, SHORT_LATE_INQUIRIES));
  /** States of the operation when the halted process went on, with their counts. */
  const endings: Record<string, number> = {};
  try {
    for (let round = 0; round < rounds; round++) {
      // Each kind starts with another round, so that a single round covers every point and order.
      const ending = await trial.run(kind, KINDS.indexOf(kind) + round);
      const name = `${kind} ${ending}`;
      endings[name] = (endings[name] ?? 0) + 1;
      say(`${kind} ${round + 1} of ${rounds}: ${ending}, ${trial.complaints.length} complaints`);
    }
    const { complaints, figures } = await trial.audit();
    return { name: kind, complaints, figures: { rounds, ...endings, ...figures } };
  } finally {
    trial.deployment.remove();
  }
}

class HaltTrial extends PaymentTrial {
  /** Returns how the operation ended, for the result line. */
  async run(kind: Kind, round: number): Promise<string> {
    const crashPoint = `${POINTS[round % 2] ?? POINTS[0]}:1:stop`;
    const [halting, running] = await startBoth(this.deployment, crashPoint, round % 4 < 2);
    const histories = await Histories.open(this.deployment);
    try {
      const client = this.client(running.origin);
      const one = await this.newRequest(client, kind);
      const answer = client.send(one, halting.origin, HALTED_RESPONSE_TIMEOUT_MS);
      if (!(await halting.haltedWithin(HALT_TIMEOUT_MS)))
        return this.failed(`it did not stand still: ${halting.logged}`);
      const before = await endedBy(running, histories, one);
      if (before === undefined) return this.failed(`${one.key} has no outcome: ${running.logged}`);
      if (before === LOCK_HELD) await this.checkRefusal(client);
      halting.signal('SIGCONT');
      const response = await answer;
      if (!response) return this.failed(`${one.key}: the process that stood still never answered`);
      for (const origin of [running.origin, halting.origin]) {
        const repeat = await this.client(origin).insist(one, RESOLUTION_TIMEOUT_MS);
        this.check(repeat !== undefined, `${one.key}: no repeat of its answer`);
      }
      const left = await histories.waitUntilNoWorkIsLeft(RESOLUTION_TIMEOUT_MS);
      this.complaints.push(...left.map((what) => `${what} is left over`));
      return `${before}, answered ${this.checkCharges(histories, one, response)}`;
    } finally {
      halting.signal('SIGCONT');
      await Promise.all([histories.close(), halting.stop(), running.stop()]);
    }
  }

  private failed(complaint: string): string {
    this.complaints.push(complaint);
    return NOT_TRIED;
  }

  private async newRequest(client: PaymentClient, kind: Kind): Promise<ClientRequest> {
    const [terminal, other] = terminalIds(this.deployment);
    const amount = 1_000 + randomUpTo(90_000);
    if (kind === 'Sale') return client.newRequest('Sale', { amount, paymentMethodId: other });
    const opening = kind === 'Capture' ? 'Auth' : 'Sale';
    const originalTransactionId = await client.approved(opening, amount, terminal);
    return client.newRequest(kind, { originalTransactionId, amount: randomUpTo(amount) });
  }

  /** While the file is locked the service refuses a sale. The audit compares this with the ledger. */
  private async checkRefusal(client: PaymentClient): Promise<void> {
    const [paymentMethodId] = terminalIds(this.deployment);
    const sale = client.newRequest('Sale', { amount: randomUpTo(90_000), paymentMethodId });
    const response = await client.send(sale);
    this.check(isRejection(response), `a sale on a locked file was answered ${describeResponse(response)}`);
  }

  /**
   * Compares the events with the ledger: an unknown outcome that is found later is no charge without a record. Returns
   * the response code.
   */
  private checkCharges(histories: Histories, one: ClientRequest, response: ClientResponse): number {
    const operation = operationOf(histories, one);
    const id = operation?.id ?? 'never written';
    const { movements } = readLedger(this.deployment);
    const charges = movements.filter(({ key }) => key.startsWith(`${id}.`)).length;
    const code = transactionIn(response)?.transactionResponses[0]?.responseCode ?? response.status;
    const isApproved = operation?.progress.status === 'Approved';
    this.check(
      charges === (isApproved ? 1 : 0) && (isApproved || !approvedTransaction(one)),
      `${id}: ${charges} movements, answered ${code}, ${operation?.progress.status}`,
    );
    return code;
  }
}

/** The first process leads the resolver; it may be the one that halts. */
async function startBoth(
  deployment: Deployment,
  crashPoint: string,
  haltsFirst: boolean,
): Promise<[ServiceProcess, ServiceProcess]> {
  const running = haltsFirst ? undefined : await ServiceProcess.start(deployment);
  const halting = await ServiceProcess.start(deployment, { crashPoint });
  return [halting, running ?? (await ServiceProcess.start(deployment))];
}

/**
 * Returns how the running process ended the operation. A process that halts in the middle of a commit keeps the file's
 * lock, and no process can write until it goes on or dies. Undefined: not in time.
 */
async function endedBy(
  running: ServiceProcess,
  histories: Histories,
  one: ClientRequest,
): Promise<string | undefined> {
  const until = performance.now() + RESOLUTION_TIMEOUT_MS;
  for (let lockedTwice = 0; performance.now() < until;) {
    const open = await histories.waitUntilResolved(2_000);
    const operation = operationOf(histories, one);
    if (operation && open.length === 0) return operation.progress.status;
    lockedTwice = (await running.health()).status === 503 ? lockedTwice + 1 : 0;
    if (lockedTwice === 2) return LOCK_HELD;
  }
  return undefined;
}

function operationOf(histories: Histories, { body }: ClientRequest): Operation | undefined {
  return histories.paymentOperations().find(({ referenceId }) => referenceId === body.referenceId);
}
