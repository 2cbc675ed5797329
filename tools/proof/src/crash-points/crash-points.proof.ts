import {
  approvedTransaction,
  newRequest,
  hasDefiniteResponse,
  type ClientRequest,
} from '../support/client.request.js';
import { PaymentClient } from '../support/payment.client.js';
import { auditDeployment, mergeReports, type AuditReport } from '../audit/deployment.audit.js';
import { unresolvedAfter, withHistories } from '../audit/histories.js';
import { inParallel, randomUpTo } from '../support/concurrency.js';
import { makeOriginal } from '../support/original.payment.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { ServiceProcess } from '../processes/service.process.js';
import {
  sandboxFacts,
  freePort,
  newDeployment,
  terminalIds,
  type Deployment,
} from '../support/deployment.js';

const POINTS = [
  'after-claim',
  'after-request',
  'before-send',
  'after-send',
  'after-answer',
  'before-outcome',
  'after-outcome',
  'before-response',
] as const;
const FAMILIES = ['sales', 'follow-ups', 'cards'] as const;
/** Requests in flight at the kill, so that operations are in every state. */
const IN_FLIGHT = 6;
const CONCURRENCY = 4;
const QUICK_SITES = 2;
const DEATH_TIMEOUT_MS = 30_000;
const RESPONSE_TIMEOUT_MS = 60_000;
const RESOLUTION_TIMEOUT_MS = 90_000;

interface Job {
  readonly point: (typeof POINTS)[number];
  readonly family: (typeof FAMILIES)[number];
  /** True: a restart of the same process resolves the operations. False: a second process does. */
  readonly alone: boolean;
}

/**
 * Returns the jobs of each deployment. The full version tries each point with each family on a deployment of its own.
 * The short version saves starts of processes: it tries each point with one family on few deployments, mostly beside a
 * second process.
 */
function jobLists(quick: boolean): Job[][] {
  if (!quick) {
    const all = POINTS.flatMap((point) => FAMILIES.map((family) => ({ point, family, alone: true })));
    return all.map((job) => [job]);
  }
  const alone = Math.floor(Math.random() * (POINTS.length / QUICK_SITES));
  return Array.from({ length: QUICK_SITES }, (_, deployment) =>
    POINTS.map((point, nth) => ({ point, family: FAMILIES[nth % FAMILIES.length] ?? 'sales' }))
      .filter((_job, nth) => nth % QUICK_SITES === deployment)
      .map((job, nth) => ({ ...job, alone: nth === alone })),
  );
}

interface TrialReport extends AuditReport {
  readonly name: string;
  readonly kills: number;
  readonly leftOpen: number;
  readonly slowestMs: number;
}

export const crashPoints: Proof = {
  name: 'crash-points',
  claim:
    'killed at any instant of a payment, the service finishes it after a restart (rounds: kills per point)',
  async run(options: ProofOptions): Promise<Findings> {
    const kills = roundCount(options, 20, 1);
    const deployments = jobLists(options.quick);
    const reports = await inParallel(deployments, CONCURRENCY, (jobs) => killAt(jobs, kills, options));
    const { complaints, ...figures } = mergeReports(reports);
    return {
      complaints,
      figures: {
        kills: reports.reduce((sum, one) => sum + one.kills, 0),
        'left open': reports.reduce((sum, one) => sum + one.leftOpen, 0),
        ...figures,
        'slowest resolution ms': Math.max(...reports.map(({ slowestMs }) => slowestMs)),
      },
    };
  },
};

async function killAt(jobs: readonly Job[], kills: number, { say }: ProofOptions): Promise<TrialReport> {
  const name = jobs.map(({ point, family }) => `${point} during ${family}`).join(', ');
  const deployment = newDeployment({ terminals: IN_FLIGHT });
  const run = new Run(deployment, await freePort(), await freePort());
  try {
    await run.restart();
    const all = Array.from({ length: kills }, () => jobs).flat();
    for (const job of all) {
      const before = run.complaints.length;
      await run.killOnce(job);
      if (run.complaints.length > before) break;
      if (run.kills % 5 === 0 && run.kills < all.length) say(`${name}: ${run.kills} of ${all.length} kills`);
    }
    await run.service?.stop();
    const report = await auditDeployment(deployment, run.requests);
    const complaints = [...run.complaints, ...report.complaints];
    say(
      `${name}: ${run.kills} kills, ${report.operations} operations, ${run.leftOpen} left open by the kills, ` +
        `slowest resolution ${run.slowestMs} ms, ${complaints.length} complaints`,
    );
    const { kills: done, leftOpen, slowestMs } = run;
    return { ...report, complaints, name, kills: done, leftOpen, slowestMs };
  } finally {
    await run.service?.kill();
    deployment.remove();
  }
}

class Run {
  readonly requests: ClientRequest[] = [];
  readonly complaints: string[] = [];
  service: ServiceProcess | undefined;
  kills = 0;
  /** Operations without an outcome right after the kills. */
  leftOpen = 0;
  slowestMs = 0;

  constructor(
    private readonly deployment: Deployment,
    private readonly port: number,
    private readonly portBeside: number,
  ) {}

  async restart(): Promise<void> {
    await this.service?.kill();
    this.service = await ServiceProcess.start(this.deployment, { port: this.port });
  }

  async killOnce({ point, family, alone }: Job): Promise<void> {
    const client = new PaymentClient([this.service?.origin ?? ''], sandboxFacts(this.deployment).apiKey);
    const requests = await this.makeRequests(family, client);
    if (alone) await this.service?.kill();
    const port = alone ? this.port : this.portBeside;
    const crashPoint = `${point}:${randomUpTo(IN_FLIGHT)}`;
    const crashing = await ServiceProcess.start(this.deployment, { port, crashPoint });
    await Promise.all(requests.map((one) => client.send(one, crashing.origin)));
    const exit = await crashing.exitWithin(DEATH_TIMEOUT_MS);
    if (exit?.signal !== 'SIGKILL') this.complaints.push(`it did not die at ${point}: ${crashing.logged}`);
    else this.kills++;
    await crashing.kill();
    this.leftOpen += await this.countOpen();

    if (alone) await this.restart();
    const startedAt = performance.now();
    await Promise.all(requests.map((one) => client.insist(one, RESPONSE_TIMEOUT_MS)));
    for (const one of requests.filter((request) => !hasDefiniteResponse(request)))
      this.complaints.push(`${one.key}: no definite answer within ${RESPONSE_TIMEOUT_MS} ms`);
    await Promise.all(requests.map((one) => client.send(one)));
    await this.untilResolved(startedAt);
  }

  private async countOpen(): Promise<number> {
    return withHistories(this.deployment, async (histories) => {
      await histories.read();
      return histories.open().length;
    });
  }

  private async untilResolved(startedAt: number): Promise<void> {
    const open = await unresolvedAfter(this.deployment, RESOLUTION_TIMEOUT_MS);
    this.complaints.push(...open.map((id) => `${id} is open ${RESOLUTION_TIMEOUT_MS} ms after the restart`));
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - startedAt));
  }

  private async makeRequests(family: Job['family'], client: PaymentClient): Promise<ClientRequest[]> {
    switch (family) {
      case 'sales':
        return this.sales();
      case 'follow-ups':
        return this.followUps(client);
      case 'cards':
        return this.cards(client);
    }
  }

  /** Requests to store cards, and sales with stored cards. */
  private async cards(client: PaymentClient): Promise<ClientRequest[]> {
    const terminals = terminalIds(this.deployment).slice(0, IN_FLIGHT);
    const storing = terminals.map((paymentMethodId) => newRequest('StoreCard', { paymentMethodId }));
    this.requests.push(...storing);
    const [first, second, ...rest] = storing;
    const stored = [first, second].filter((one) => one !== undefined);
    await Promise.all(stored.map((one) => client.insist(one, RESPONSE_TIMEOUT_MS)));
    const sales = stored.flatMap((one) => {
      const paymentMethodId = approvedTransaction(one)?.paymentMethod?.id;
      return paymentMethodId === undefined
        ? []
        : [newRequest('TokenSale', { amount: randomUpTo(50_000), paymentMethodId })];
    });
    this.requests.push(...sales);
    return [...rest, ...sales];
  }

  private sales(): ClientRequest[] {
    const requests = terminalIds(this.deployment)
      .slice(0, IN_FLIGHT)
      .map((paymentMethodId, index) =>
        newRequest(index % 3 === 2 ? 'Auth' : 'Sale', { amount: randomUpTo(50_000), paymentMethodId }),
      );
    this.requests.push(...requests);
    return requests;
  }

  /** Captures, refunds and voids, in part and in full, each of its own original. */
  private async followUps(client: PaymentClient): Promise<ClientRequest[]> {
    const plan = [
      ['Auth', 'Capture', true],
      ['Auth', 'Capture', false],
      ['Sale', 'Refund', true],
      ['Sale', 'Refund', false],
      ['Sale', 'Void', false],
      ['Auth', 'Void', true],
    ] as const;
    const terminals = terminalIds(this.deployment);
    const requests = await Promise.all(
      plan.map(async ([opening, kind, inPart], index) => {
        const total = 1_000 + randomUpTo(50_000);
        const original = await makeOriginal(client, opening, total, terminals[index], this.requests);
        return newRequest(kind, {
          originalTransactionId: original.id,
          ...(inPart && { amount: randomUpTo(original.amount) }),
        });
      }),
    );
    this.requests.push(...requests);
    return requests;
  }
}
