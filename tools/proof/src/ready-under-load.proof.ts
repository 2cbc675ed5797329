import { setTimeout } from 'node:timers/promises';
import type { ListPage, TransactionResult } from '@tillstream/contracts';
import { MerchantCalls, saidBy } from './merchant.calls.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, newSite, terminalsOf, type Site } from './site.js';

const CLIENTS = 20;
const READY_WITHIN_MS = 5_000;
const SOLD_BEFORE_KILL_MS = 3_000;
const PAUSE_UNANSWERED_MS = 20;
/** Of the sales that were answered before a start, so many are looked for in its lists, the newest. */
const LOOKED_FOR = 20;

export const readyUnderLoad: Proof = {
  name: 'ready-under-load',
  claim: `killed and started again while ${CLIENTS} clients sell at full rate, an instance is ready within ${READY_WITHIN_MS / 1_000} s and lists what was stored before (rounds: kills of each kind)`,
  async run(options: ProofOptions): Promise<Findings> {
    const kills = roundsOf(options, 10, 3);
    const alone = await trial(options, kills, 'sold against itself', false);
    const beside = await trial(options, kills, 'beside another instance', true);
    return {
      complaints: [...alone.complaints, ...beside.complaints],
      figures: {
        kills: 2 * kills,
        ...figuresOf('itself', alone),
        ...figuresOf('beside', beside),
      },
    };
  },
};

interface Trial {
  readonly readyAfterMs: readonly number[];
  readonly sales: number;
  readonly complaints: readonly string[];
}

function figuresOf(name: string, { readyAfterMs, sales }: Trial): Record<string, number> {
  const sorted = [...readyAfterMs].sort((a, b) => a - b);
  return {
    [`${name}: sales`]: sales,
    [`${name}: ready after ms, median`]: sorted[sorted.length >> 1] ?? 0,
    [`${name}: at most`]: sorted.at(-1) ?? 0,
  };
}

/** Kills one instance again and again. `beside`: the clients sell against another one, else against the one that starts. */
async function trial(options: ProofOptions, kills: number, name: string, beside: boolean): Promise<Trial> {
  const site = newSite({ terminals: CLIENTS });
  const port = await freePort();
  let service = await ServiceProcess.start(site, { port });
  const other = beside ? await ServiceProcess.start(site, { port: await freePort() }) : undefined;
  const clients = new Clients(site, other?.origin ?? service.origin);
  const complaints: string[] = [];
  const readyAfterMs: number[] = [];
  try {
    clients.start();
    for (let kill = 1; kill <= kills; kill++) {
      await setTimeout(SOLD_BEFORE_KILL_MS);
      await service.kill();
      const before = clients.newest(LOOKED_FOR);
      const since = performance.now();
      service = await ServiceProcess.start(site, { port });
      const after = Math.round(performance.now() - since);
      readyAfterMs.push(after);
      if (after > READY_WITHIN_MS) complaints.push(`${name}, kill ${kill}: ready after ${after} ms`);
      const missing = await notListed(site, service.origin, before);
      if (missing.length > 0) complaints.push(`${name}, kill ${kill}: not listed: ${missing.join(', ')}`);
      options.say(`${name}: kill ${kill} of ${kills}, ready after ${after} ms, ${clients.sales} sales`);
    }
    return { readyAfterMs, sales: clients.sales, complaints: [...complaints, ...clients.complaints] };
  } finally {
    await clients.stop();
    await Promise.all([service.stop(), other?.stop()]);
    site.remove();
  }
}

/** Of these sales, those that the first list after the start does not have. */
async function notListed(site: Site, origin: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const query = ids.map((id) => `id=${id}`).join('&');
  const calls = new MerchantCalls(factsOf(site));
  const reply = await calls.send(origin, 'GET', `/v1/transactions?limit=100&${query}`);
  if (reply?.status !== 200) return [`the list was answered ${saidBy(reply)}`];
  const listed = (JSON.parse(reply.text) as ListPage<TransactionResult>).data.map(({ id }) => id);
  return ids.filter((id) => !listed.includes(id));
}

/** Each sells on a terminal of its own as fast as it is answered, and tries again where no answer comes. */
class Clients {
  readonly complaints: string[] = [];
  private readonly sold: string[] = [];
  private lanes: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly site: Site,
    private readonly origin: string,
  ) {}

  get sales(): number {
    return this.sold.length;
  }

  newest(count: number): readonly string[] {
    return this.sold.slice(-count);
  }

  start(): void {
    const calls = new MerchantCalls(factsOf(this.site));
    const terminals = terminalsOf(this.site).slice(0, CLIENTS);
    this.lanes = Promise.all(terminals.map((terminal) => this.sell(calls, terminal)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.lanes;
  }

  private async sell(calls: MerchantCalls, paymentMethodId: string): Promise<void> {
    while (!this.stopped) {
      const body = { amount: 1_000, paymentMethodId };
      const reply = await calls.send(this.origin, 'POST', '/v1/transactions/physical-sale', { body });
      if (reply?.status === 200) this.sold.push((JSON.parse(reply.text) as TransactionResult).id);
      else if (reply && reply.status !== 500) this.complaints.push(`a sale was answered ${reply.status}`);
      else await setTimeout(PAUSE_UNANSWERED_MS);
    }
  }
}
