import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { approvedIn, ask, type Asked } from './asked.js';
import { judgeBatches } from './batch-close.judge.js';
import { Client } from './client.js';
import { examine } from './examination.js';
import { Histories } from './histories.js';
import { inLanes, pick, upTo } from './lanes.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { ServiceProcess } from './service.process.js';
import { SettlementProcess } from './settlement.process.js';
import { factsOf, freePort, newSite, terminalsOf, type Site } from './site.js';

const LANES = 16;
const ITEMS_LEFT_WITHIN_MS = 300_000;
const RESOLVED_WITHIN_MS = 120_000;

export const batchClose: Proof = {
  name: 'batch-close',
  claim:
    'whatever kills the closer and races with it, every operation is in exactly one batch, and totals are the sums (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const payments = roundsOf(options, 20_000, 250);
    const kills = options.quick ? 2 : 20;
    // Closed by the closer alone, so that a kill is felt.
    const site = newSite({ terminals: LANES, environment: { SETTLEMENT_PROJECTOR: 'elsewhere' } });
    const api = await ServiceProcess.start(site, { port: await freePort() });
    const asked: Asked[] = [];
    const complaints: string[] = [];
    const closer = new KilledCloser(site, kills, options);
    try {
      const client = new Client([api.origin], factsOf(site).apiKey);
      const closing = closer.run(api.origin);
      await load(client, terminalsOf(site), payments, asked, options);
      await closing;
      complaints.push(...(await unresolved(site)));
      complaints.push(...(await closer.untilAllIsTaken(api.origin)));
    } finally {
      await closer.stop();
      await api.stop();
    }
    const { untaken, complaints: wrong, ...figures } = await judged(site);
    if (untaken > 0) complaints.push(`${untaken} items are in no batch`);
    const { complaints: others, ...examined } = await examine(site, asked);
    site.remove();
    return {
      complaints: [...complaints, ...wrong, ...others],
      figures: { kills: closer.kills, ...figures, ...examined },
    };
  },
};

/** Sales and authorizations, each followed by whatever may come, while batches close beside. */
async function load(
  client: Client,
  terminals: readonly string[],
  payments: number,
  asked: Asked[],
  { say }: ProofOptions,
): Promise<void> {
  const numbers = Array.from({ length: payments }, (_, number) => number);
  await inLanes(numbers, LANES, async (number) => {
    const terminal = terminals[number % terminals.length];
    const amount = 100 + upTo(90_000);
    const isAuth = number % 4 === 0;
    const first = ask(isAuth ? 'Auth' : 'Sale', {
      amount,
      ...(terminal !== undefined && { paymentMethodId: terminal }),
    });
    asked.push(first);
    await client.insist(first, RESOLVED_WITHIN_MS);
    let { id } = approvedIn(first) ?? {};
    if (id !== undefined && isAuth) {
      const capture = ask('Capture', { originalTransactionId: id, amount: upTo(amount) });
      asked.push(capture);
      await client.insist(capture, RESOLVED_WITHIN_MS);
      id = approvedIn(capture)?.id;
    }
    if (id !== undefined) await giveBack(client, id, amount, asked);
    if ((number + 1) % 2_000 === 0) say(`${number + 1} of ${payments} payments`);
  });
}

/** Some at once, some while a batch closes, some long after: voids and refunds, in parts and in whole. */
async function giveBack(client: Client, id: string, amount: number, asked: Asked[]): Promise<void> {
  const some = pick([0, 0, 0, 1, 1, 2]);
  for (let one = 0; one < some; one++) {
    await setTimeout(upTo(400));
    const part = pick([undefined, upTo(amount), upTo(Math.ceil(amount / 4))]);
    const back = ask(pick(['Void', 'Refund', 'Refund']), {
      originalTransactionId: id,
      ...(part !== undefined && { amount: part }),
    });
    asked.push(back);
    await client.insist(back, RESOLVED_WITHIN_MS);
  }
}

/** A closer that is killed at any moment and started again, while an operator closes and closes. */
class KilledCloser {
  kills = 0;
  private process: SettlementProcess;
  private isLoaded = false;

  constructor(
    private readonly site: Site,
    private readonly most: number,
    private readonly options: ProofOptions,
  ) {
    this.process = SettlementProcess.spawn(site);
  }

  /** Until all the kills are done. */
  async run(origin: string): Promise<void> {
    const commands = this.command(origin);
    while (this.kills < this.most) {
      await this.process.started();
      await setTimeout(upTo(2_000));
      await this.process.end('SIGKILL');
      this.kills += 1;
      this.options.say(`killed ${this.kills} of ${this.most}`);
      this.process = SettlementProcess.spawn(this.site);
    }
    await this.process.started();
    this.isLoaded = true;
    await commands;
  }

  /** Empty batches stay open: once one does, nothing is left to take. */
  async untilAllIsTaken(origin: string): Promise<string[]> {
    const until = performance.now() + ITEMS_LEFT_WITHIN_MS;
    while (performance.now() < until) {
      const [batch] = await this.close(origin);
      if (batch?.status === 'Open' && batch.transactionCount === 0) return [];
      await setTimeout(200);
    }
    return [`batches were not done within ${ITEMS_LEFT_WITHIN_MS} ms: ${this.process.logged.slice(-1_000)}`];
  }

  async stop(): Promise<void> {
    await this.process.end('SIGTERM');
  }

  private async command(origin: string): Promise<void> {
    while (!this.isLoaded) {
      await this.close(origin);
      await setTimeout(upTo(600));
    }
  }

  private async close(
    origin: string,
  ): Promise<readonly { readonly status: string; readonly transactionCount: number }[]> {
    const { adminKey, merchantId } = factsOf(this.site);
    try {
      const response = await fetch(`${origin}/admin/v1/merchants/${merchantId}/batches/close`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': adminKey },
        body: JSON.stringify({ currency: 'USD' }),
        signal: AbortSignal.timeout(20_000),
      });
      return response.ok ? ((await response.json()) as { data: [] }).data : [];
    } catch {
      return [];
    }
  }
}

async function unresolved(site: Site): Promise<string[]> {
  const histories = await Histories.open(site);
  try {
    const open = await histories.untilNoneIsOpen(RESOLVED_WITHIN_MS);
    return open.map((id) => `${id} has no outcome`);
  } finally {
    await histories.close();
  }
}

async function judged({ dataDir }: Site) {
  const store = await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true });
  try {
    return await judgeBatches(store);
  } finally {
    await store.close();
  }
}
