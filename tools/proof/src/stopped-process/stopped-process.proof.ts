import type { Operation } from '@tillstream/domain';
import {
  approvedTransaction,
  newRequest,
  isDefinite,
  errorIn,
  transactionIn,
  type ClientRequest,
} from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { auditDeployment, readLedger, mergeReports, type AuditReport } from '../audit/deployment.audit.js';
import { Histories } from '../audit/histories.js';
import { inParallel, randomUpTo } from '../support/concurrency.js';
import { makeOriginal } from '../support/original.payment.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { ServiceProcess } from '../processes/service.process.js';
import {
  sandboxFacts,
  freePort,
  newDeployment,
  SHORT_LATE_INQUIRIES,
  terminalIds,
  type Deployment,
} from '../support/deployment.js';

const KINDS = ['Sale', 'Capture', 'Refund'] as const;
type Kind = (typeof KINDS)[number];
/** Between the commit of the request event and the send. */
const POINTS = ['after-request', 'before-send'] as const;
const HALT_TIMEOUT_MS = 30_000;
const RESOLUTION_TIMEOUT_MS = 90_000;
const LOCK_HELD = 'HeldTheLock';

interface TrialReport extends AuditReport {
  readonly name: Kind;
  /** States of the operation when the halted process went on, with their counts. */
  readonly endings: ReadonlyMap<string, number>;
}

export const stoppedProcess: Proof = {
  name: 'stopped-process',
  claim:
    'a process that halts before sending and goes on later makes no charge without a record (rounds: per kind)',
  async run(options: ProofOptions): Promise<Findings> {
    const rounds = roundCount(options, 10, 1);
    const reports = await inParallel(KINDS, KINDS.length, (kind) => runRounds(kind, rounds, options));
    const { complaints, ...figures } = mergeReports(reports);
    const endings = reports.flatMap(({ name, endings: of }) =>
      [...of].map(([how, n]) => [`${name} ${how}`, n]),
    );
    return {
      complaints,
      figures: { rounds: rounds * KINDS.length, ...Object.fromEntries(endings), ...figures },
    };
  },
};

async function runRounds(kind: Kind, rounds: number, { say }: ProofOptions): Promise<TrialReport> {
  const deployment = newDeployment({ terminals: 2, environment: SHORT_LATE_INQUIRIES });
  const requests: ClientRequest[] = [];
  const complaints: string[] = [];
  const endings = new Map<string, number>();
  try {
    for (let round = 0; round < rounds; round++) {
      // Each kind starts with another round, so that a single round covers every point and order.
      const { ending, complaints: found } = await runRound(
        deployment,
        kind,
        KINDS.indexOf(kind) + round,
        requests,
      );
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
      complaints.push(...found);
      say(`${kind} ${round + 1} of ${rounds}: ${ending}, ${found.length} complaints`);
    }
    const report = await auditDeployment(deployment, requests);
    return { ...report, name: kind, endings, complaints: [...complaints, ...report.complaints] };
  } finally {
    deployment.remove();
  }
}

async function runRound(
  deployment: Deployment,
  kind: Kind,
  round: number,
  requests: ClientRequest[],
): Promise<{ readonly ending: string; readonly complaints: readonly string[] }> {
  const crashPoint = `${POINTS[round % 2] ?? POINTS[0]}:1:stop`;
  const [halting, running] = await startBoth(deployment, crashPoint, round % 4 < 2);
  const histories = await Histories.open(deployment);
  try {
    const { apiKey } = sandboxFacts(deployment);
    const one = await request(new PaymentClient([running.origin], apiKey), deployment, kind, requests);
    requests.push(one);
    const answer = new PaymentClient([halting.origin], apiKey).send(one, halting.origin, 120_000);
    if (!(await halting.haltedWithin(HALT_TIMEOUT_MS)))
      return failed(`it did not stand still: ${halting.logged}`);

    const before = await endedBy(running, histories, one);
    if (before === undefined) return failed(`${one.key} has no outcome: ${running.logged}`);
    const complaints = before === LOCK_HELD ? await refusedMeanwhile(running, deployment, requests) : [];
    halting.signal('SIGCONT');
    const response = await answer;
    if (!response) return failed(`${one.key}: the process that stood still never answered`);
    for (const origin of [running.origin, halting.origin]) {
      const repeat = await new PaymentClient([origin], apiKey).insist(one, RESOLUTION_TIMEOUT_MS);
      if (!repeat || !isDefinite(repeat)) complaints.push(`${one.key}: no repeat of its answer`);
    }
    const left = await histories.waitUntilNoWorkIsLeft(RESOLUTION_TIMEOUT_MS);
    complaints.push(...left.map((what) => `${what} is left over`));
    const operation = operationOf(histories, one);
    const id = operation?.id ?? 'never written';
    const charges = readLedger(deployment).movements.filter(({ key }) => key.startsWith(`${id}.`)).length;
    const responseCode = transactionIn(response)?.transactionResponses[0]?.responseCode ?? response.status;
    // An unknown outcome that is found later is no silent charge; events and ledger must agree.
    const isApproved = operation?.progress.status === 'Approved';
    if (charges !== (isApproved ? 1 : 0) || (approvedTransaction(one) && !isApproved))
      complaints.push(`${id}: ${charges} movements, told ${responseCode}, ${operation?.progress.status}`);
    return { ending: `${before}, answered ${responseCode}`, complaints };
  } finally {
    halting.signal('SIGCONT');
    await Promise.all([histories.close(), halting.stop(), running.stop()]);
  }
}

const failed = (complaint: string) => ({ ending: 'not tried', complaints: [complaint] });

/** The first process leads the resolver; it may be the one that halts. */
async function startBoth(
  deployment: Deployment,
  crashPoint: string,
  haltsFirst: boolean,
): Promise<[ServiceProcess, ServiceProcess]> {
  const ports = [await freePort(), await freePort()] as const;
  const startHalting = () => ServiceProcess.start(deployment, { port: ports[0], crashPoint });
  const startRunning = () => ServiceProcess.start(deployment, { port: ports[1] });
  if (haltsFirst) return [await startHalting(), await startRunning()];
  const running = await startRunning();
  return [await startHalting(), running];
}

async function request(
  client: PaymentClient,
  deployment: Deployment,
  kind: Kind,
  requests: ClientRequest[],
): Promise<ClientRequest> {
  const [terminal, other] = terminalIds(deployment);
  const amount = 1_000 + randomUpTo(90_000);
  if (kind === 'Sale')
    return newRequest('Sale', { amount, ...(other !== undefined && { paymentMethodId: other }) });
  const original = await makeOriginal(
    client,
    kind === 'Capture' ? 'Auth' : 'Sale',
    amount,
    terminal,
    requests,
  );
  return newRequest(kind, { originalTransactionId: original.id, amount: randomUpTo(amount) });
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

/** While the file is locked the service refuses a sale. The audit compares this with the ledger. */
async function refusedMeanwhile(
  running: ServiceProcess,
  deployment: Deployment,
  requests: ClientRequest[],
): Promise<string[]> {
  const [terminal] = terminalIds(deployment);
  const one = newRequest('Sale', {
    amount: randomUpTo(90_000),
    ...(terminal !== undefined && { paymentMethodId: terminal }),
  });
  requests.push(one);
  const response = await new PaymentClient([running.origin], sandboxFacts(deployment).apiKey).send(one);
  const error = response && errorIn(response);
  const isRefused = response?.status === 500 && error?.code === 9000 && error.status === 'Rejected';
  return isRefused ? [] : [`a sale on a locked file was answered ${response?.status} ${response?.text}`];
}

function operationOf(histories: Histories, { body }: ClientRequest): Operation | undefined {
  return histories.paymentOperations().find(({ referenceId }) => referenceId === body.referenceId);
}
