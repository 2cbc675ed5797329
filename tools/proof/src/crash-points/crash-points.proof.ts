import { mergeReports, type NamedReport } from '../audit/deployment.audit.js';
import { withHistories } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Proof, type ProofOptions } from '../proof.types.js';
import { approvedTransaction, hasDefiniteResponse, type ClientRequest } from '../support/client.request.js';
import { inParallel, randomUpTo } from '../support/concurrency.js';
import { freePort, newDeployment, terminalIds } from '../support/deployment.js';
import { PaymentTrial, type PaymentClient } from '../support/payment.trial.js';

const POINTS = [
  ...['after-claim', 'after-request', 'before-send', 'after-send'],
  ...['after-answer', 'before-outcome', 'after-outcome', 'before-response'],
];
const FAMILIES = { sales, 'follow-ups': followUps, cards } as const;
const FAMILY_NAMES = Object.keys(FAMILIES) as (keyof typeof FAMILIES)[];
/** Requests in flight at the kill, so that operations are in every state. */
const IN_FLIGHT = 6;
const CONCURRENCY = 4;
const QUICK_DEPLOYMENTS = 2;
const DEATH_TIMEOUT_MS = 30_000;
const RESPONSE_TIMEOUT_MS = 60_000;
const RESOLUTION_TIMEOUT_MS = 90_000;

interface Job {
  readonly point: string;
  readonly family: keyof typeof FAMILIES;
  /** True: a restart of the same process resolves the operations. False: a second process does. */
  readonly alone: boolean;
}

/**
 * Returns the jobs of each deployment. The full version tries each point with each family on a deployment of its own.
 * The short version saves starts of processes: it tries each point with one family on few deployments, mostly beside a
 * second process.
 */
function jobLists(quick: boolean): Job[][] {
  if (!quick)
    return POINTS.flatMap((point) => FAMILY_NAMES.map((family) => [{ point, family, alone: true }]));
  const alone = Math.floor(Math.random() * (POINTS.length / QUICK_DEPLOYMENTS));
  return Array.from({ length: QUICK_DEPLOYMENTS }, (_, deployment) =>
    POINTS.map((point, nth) => ({ point, family: FAMILY_NAMES[nth % FAMILY_NAMES.length] ?? 'sales' }))
      .filter((_job, nth) => nth % QUICK_DEPLOYMENTS === deployment)
      .map((job, nth) => ({ ...job, alone: nth === alone })),
  );
}

export const crashPoints: Proof = {
  name: 'crash-points',
  claim:
    'killed at any instant of a payment, the service finishes it after a restart (rounds: kills per point)',
  async run(options) {
    const kills = roundCount(options, 20, 1);
    const lists = jobLists(options.quick);
    return mergeReports(await inParallel(lists, CONCURRENCY, (jobs) => killAt(jobs, kills, options)));
  },
};

async function killAt(jobs: readonly Job[], kills: number, { say }: ProofOptions): Promise<NamedReport> {
  const name = jobs.map(({ point, family }) => `${point} during ${family}`).join(', ');
  const trial = new CrashTrial(newDeployment(IN_FLIGHT));
  try {
    await trial.restart();
    const all = Array.from({ length: kills }, () => jobs).flat();
    for (const job of all) {
      await trial.killOnce(job);
      if (trial.complaints.length > 0) break;
      if (trial.kills % 5 === 0 && trial.kills < all.length)
        say(`${name}: ${trial.kills} of ${all.length} kills`);
    }
    await trial.service?.stop();
    const { complaints, figures } = await trial.audit();
    const { kills: done, leftOpen, slowestMs } = trial;
    say(
      `${name}: ${done} kills, ${figures['operations']} operations, ${leftOpen} left open by the kills, ` +
        `slowest resolution ${slowestMs} ms, ${complaints.length} complaints`,
    );
    const own = { kills: done, 'left open': leftOpen, 'slowest resolution ms': slowestMs };
    return { name, complaints, figures: { ...own, ...figures } };
  } finally {
    await trial.service?.kill();
    trial.deployment.remove();
  }
}

class CrashTrial extends PaymentTrial {
  service: ServiceProcess | undefined;
  kills = 0;
  /** Operations without an outcome right after the kills. */
  leftOpen = 0;
  slowestMs = 0;
  private readonly port = freePort();

  async restart(): Promise<void> {
    await this.service?.kill();
    this.service = await ServiceProcess.start(this.deployment, { port: await this.port });
  }

  async killOnce({ point, family, alone }: Job): Promise<void> {
    const client = this.client(this.service?.origin ?? '');
    const requests = await FAMILIES[family](client, terminalIds(this.deployment));
    if (alone) await this.service?.kill();
    const crashing = await ServiceProcess.start(this.deployment, {
      port: await (alone ? this.port : freePort()),
      crashPoint: `${point}:${randomUpTo(IN_FLIGHT)}`,
    });
    await Promise.all(requests.map((one) => client.send(one, crashing.origin)));
    const exit = await crashing.exitWithin(DEATH_TIMEOUT_MS);
    if (exit?.signal !== 'SIGKILL') this.complaints.push(`it did not die at ${point}: ${crashing.logged}`);
    else this.kills++;
    await crashing.kill();
    this.leftOpen += await withHistories(this.deployment, (histories) => histories.open().length);

    if (alone) await this.restart();
    const startedAt = performance.now();
    await Promise.all(requests.map((one) => client.insist(one, RESPONSE_TIMEOUT_MS)));
    for (const one of requests)
      this.check(hasDefiniteResponse(one), `${one.key}: no definite answer within ${RESPONSE_TIMEOUT_MS} ms`);
    await Promise.all(requests.map((one) => client.send(one)));
    await this.untilResolved(RESOLUTION_TIMEOUT_MS);
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - startedAt));
  }
}

/** Requests to store cards, and sales with stored cards. */
async function cards(client: PaymentClient, terminals: readonly string[]): Promise<ClientRequest[]> {
  const storing = terminals.map((paymentMethodId) => client.newRequest('StoreCard', { paymentMethodId }));
  const stored = storing.splice(0, 2);
  await Promise.all(stored.map((one) => client.insist(one, RESPONSE_TIMEOUT_MS)));
  const sales = stored.flatMap((one) => {
    const paymentMethodId = approvedTransaction(one)?.paymentMethod.id;
    if (paymentMethodId === undefined) return [];
    return [client.newRequest('TokenSale', { amount: randomUpTo(50_000), paymentMethodId })];
  });
  return [...storing, ...sales];
}

async function sales(client: PaymentClient, terminals: readonly string[]): Promise<ClientRequest[]> {
  return terminals.map((paymentMethodId, index) =>
    client.newRequest(index % 3 === 2 ? 'Auth' : 'Sale', { amount: randomUpTo(50_000), paymentMethodId }),
  );
}

/** Captures, refunds and voids, in part and in full, each of its own original. */
async function followUps(client: PaymentClient, terminals: readonly string[]): Promise<ClientRequest[]> {
  const plan = [
    ['Auth', 'Capture', true],
    ['Auth', 'Capture', false],
    ['Sale', 'Refund', true],
    ['Sale', 'Refund', false],
    ['Sale', 'Void', false],
    ['Auth', 'Void', true],
  ] as const;
  return Promise.all(
    plan.map(async ([opening, kind, inPart], index) => {
      const total = 1_000 + randomUpTo(50_000);
      const originalTransactionId = await client.approved(opening, total, terminals[index]);
      return client.newRequest(kind, {
        originalTransactionId,
        amount: inPart ? randomUpTo(total) : undefined,
      });
    }),
  );
}
