import { approvedIn, ask, isDefinite, type Asked } from './asked.js';
import { Client } from './client.js';
import { examine, together, type Examined } from './examination.js';
import { Histories } from './histories.js';
import { inLanes, upTo } from './lanes.js';
import { makeOriginal } from './originals.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, newSite, terminalsOf, type Site } from './site.js';

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
/** In flight when it dies, so that it dies with operations in every state. */
const IN_FLIGHT = 6;
const LANES = 4;
const QUICK_SITES = 2;
const DIES_WITHIN_MS = 30_000;
const ANSWERED_WITHIN_MS = 60_000;
const RESOLVED_WITHIN_MS = 90_000;

interface Job {
  readonly point: (typeof POINTS)[number];
  readonly family: (typeof FAMILIES)[number];
  /** Nobody else runs on the site: a restart finishes what was begun. Otherwise the process beside it does. */
  readonly alone: boolean;
}

/**
 * On each site, one after the other: each point with each family, on a site of its own. The short version spares starts
 * of processes: each point with one family, on few sites, and on each all but one beside a process that goes on.
 */
function sitesOf(quick: boolean): Job[][] {
  if (!quick) {
    const all = POINTS.flatMap((point) => FAMILIES.map((family) => ({ point, family, alone: true })));
    return all.map((job) => [job]);
  }
  const alone = Math.floor(Math.random() * (POINTS.length / QUICK_SITES));
  return Array.from({ length: QUICK_SITES }, (_, site) =>
    POINTS.map((point, nth) => ({ point, family: FAMILIES[nth % FAMILIES.length] ?? 'sales' }))
      .filter((_job, nth) => nth % QUICK_SITES === site)
      .map((job, nth) => ({ ...job, alone: nth === alone })),
  );
}

interface Outcome extends Examined {
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
    const kills = roundsOf(options, 20, 1);
    const sites = sitesOf(options.quick);
    const outcomes = await inLanes(sites, LANES, (jobs) => killAt(jobs, kills, options));
    const { complaints, ...figures } = together(outcomes);
    return {
      complaints,
      figures: {
        kills: outcomes.reduce((sum, one) => sum + one.kills, 0),
        'left open': outcomes.reduce((sum, one) => sum + one.leftOpen, 0),
        ...figures,
        'slowest resolution ms': Math.max(...outcomes.map(({ slowestMs }) => slowestMs)),
      },
    };
  },
};

async function killAt(jobs: readonly Job[], kills: number, { say }: ProofOptions): Promise<Outcome> {
  const name = jobs.map(({ point, family }) => `${point} during ${family}`).join(', ');
  const site = newSite({ terminals: IN_FLIGHT });
  const run = new Run(site, await freePort(), await freePort());
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
    const examined = await examine(site, run.asked);
    const complaints = [...run.complaints, ...examined.complaints];
    say(
      `${name}: ${run.kills} kills, ${examined.operations} operations, ${run.leftOpen} left open by the kills, ` +
        `slowest resolution ${run.slowestMs} ms, ${complaints.length} complaints`,
    );
    const { kills: done, leftOpen, slowestMs } = run;
    return { ...examined, complaints, name, kills: done, leftOpen, slowestMs };
  } finally {
    await run.service?.kill();
    site.remove();
  }
}

class Run {
  readonly asked: Asked[] = [];
  readonly complaints: string[] = [];
  service: ServiceProcess | undefined;
  kills = 0;
  /** Operations without an outcome right after the kills: what there was to resolve. */
  leftOpen = 0;
  slowestMs = 0;

  constructor(
    private readonly site: Site,
    private readonly port: number,
    private readonly portBeside: number,
  ) {}

  async restart(): Promise<void> {
    await this.service?.kill();
    this.service = await ServiceProcess.start(this.site, { port: this.port });
  }

  async killOnce({ point, family, alone }: Job): Promise<void> {
    const client = new Client([this.service?.origin ?? ''], factsOf(this.site).apiKey);
    const requests = await this.requests(family, client);
    if (alone) await this.service?.kill();
    const port = alone ? this.port : this.portBeside;
    const crashPoint = `${point}:${upTo(IN_FLIGHT)}`;
    const doomed = await ServiceProcess.start(this.site, { port, crashPoint });
    await Promise.all(requests.map((one) => client.send(one, doomed.origin)));
    const ended = await doomed.endedWithin(DIES_WITHIN_MS);
    if (ended?.signal !== 'SIGKILL') this.complaints.push(`it did not die at ${point}: ${doomed.logged}`);
    else this.kills++;
    await doomed.kill();
    this.leftOpen += await this.countOpen();

    if (alone) await this.restart();
    const since = performance.now();
    await Promise.all(requests.map((one) => client.insist(one, ANSWERED_WITHIN_MS)));
    for (const one of requests.filter(({ heard }) => !heard.some(isDefinite)))
      this.complaints.push(`${one.key}: no definite answer within ${ANSWERED_WITHIN_MS} ms`);
    await Promise.all(requests.map((one) => client.send(one)));
    await this.untilResolved(since);
  }

  private async countOpen(): Promise<number> {
    const histories = await Histories.open(this.site);
    await histories.read();
    const open = histories.open().length;
    await histories.close();
    return open;
  }

  private async untilResolved(since: number): Promise<void> {
    const histories = await Histories.open(this.site);
    const open = await histories.untilNoneIsOpen(RESOLVED_WITHIN_MS);
    await histories.close();
    this.complaints.push(...open.map((id) => `${id} is open ${RESOLVED_WITHIN_MS} ms after the restart`));
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - since));
  }

  private async requests(family: Job['family'], client: Client): Promise<Asked[]> {
    switch (family) {
      case 'sales':
        return this.sales();
      case 'follow-ups':
        return this.followUps(client);
      case 'cards':
        return this.cards(client);
    }
  }

  /** Cards to be stored, and sales with cards that are. */
  private async cards(client: Client): Promise<Asked[]> {
    const terminals = terminalsOf(this.site).slice(0, IN_FLIGHT);
    const storing = terminals.map((paymentMethodId) => ask('StoreCard', { paymentMethodId }));
    this.asked.push(...storing);
    const [first, second, ...rest] = storing;
    const stored = [first, second].filter((one) => one !== undefined);
    await Promise.all(stored.map((one) => client.insist(one, ANSWERED_WITHIN_MS)));
    const sales = stored.flatMap((one) => {
      const paymentMethodId = approvedIn(one)?.paymentMethod?.id;
      return paymentMethodId === undefined
        ? []
        : [ask('TokenSale', { amount: upTo(50_000), paymentMethodId })];
    });
    this.asked.push(...sales);
    return [...rest, ...sales];
  }

  private sales(): Asked[] {
    const requests = terminalsOf(this.site)
      .slice(0, IN_FLIGHT)
      .map((paymentMethodId, index) =>
        ask(index % 3 === 2 ? 'Auth' : 'Sale', { amount: upTo(50_000), paymentMethodId }),
      );
    this.asked.push(...requests);
    return requests;
  }

  /** Captures, refunds and voids, in part and in whole, each of an original of its own. */
  private async followUps(client: Client): Promise<Asked[]> {
    const plan = [
      ['Auth', 'Capture', true],
      ['Auth', 'Capture', false],
      ['Sale', 'Refund', true],
      ['Sale', 'Refund', false],
      ['Sale', 'Void', false],
      ['Auth', 'Void', true],
    ] as const;
    const terminals = terminalsOf(this.site);
    const requests = await Promise.all(
      plan.map(async ([opening, kind, inPart], index) => {
        const total = 1_000 + upTo(50_000);
        const original = await makeOriginal(client, opening, total, terminals[index], this.asked);
        return ask(kind, {
          originalTransactionId: original.id,
          ...(inPart && { amount: upTo(original.amount) }),
        });
      }),
    );
    this.asked.push(...requests);
    return requests;
  }
}
