import { setTimeout } from 'node:timers/promises';
import type { ListPage, TransactionResult } from '@tillstream/contracts';
import { ApiClient, describeResponse } from '../support/api.client.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { ServiceProcess } from '../processes/service.process.js';
import {
  sandboxFacts,
  freePort,
  newDeployment,
  terminalIds,
  type Deployment,
} from '../support/deployment.js';

const CLIENTS = 20;
const READY_TIMEOUT_MS = 5_000;
const SOLD_BEFORE_KILL_MS = 3_000;
const PAUSE_UNANSWERED_MS = 20;
/** So many of the newest sales before a start are checked. */
const LOOKED_FOR = 20;

export const readyUnderLoad: Proof = {
  name: 'ready-under-load',
  claim: `killed and started again while ${CLIENTS} clients sell at full rate, an instance is ready within ${READY_TIMEOUT_MS / 1_000} s and lists what was stored before (rounds: kills of each kind)`,
  async run(options: ProofOptions): Promise<Findings> {
    const kills = roundCount(options, 10, 3);
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

/** Kills one instance again and again. @param beside the clients sell at another instance */
async function trial(options: ProofOptions, kills: number, name: string, beside: boolean): Promise<Trial> {
  const deployment = newDeployment({ terminals: CLIENTS });
  const port = await freePort();
  let service = await ServiceProcess.start(deployment, { port });
  const other = beside ? await ServiceProcess.start(deployment, { port: await freePort() }) : undefined;
  const clients = new Clients(deployment, other?.origin ?? service.origin);
  const complaints: string[] = [];
  const readyAfterMs: number[] = [];
  try {
    clients.start();
    for (let kill = 1; kill <= kills; kill++) {
      await setTimeout(SOLD_BEFORE_KILL_MS);
      await service.kill();
      const before = clients.newest(LOOKED_FOR);
      const startedAt = performance.now();
      service = await ServiceProcess.start(deployment, { port });
      const after = Math.round(performance.now() - startedAt);
      readyAfterMs.push(after);
      if (after > READY_TIMEOUT_MS) complaints.push(`${name}, kill ${kill}: ready after ${after} ms`);
      const missing = await notListed(deployment, service.origin, before);
      if (missing.length > 0) complaints.push(`${name}, kill ${kill}: not listed: ${missing.join(', ')}`);
      options.say(`${name}: kill ${kill} of ${kills}, ready after ${after} ms, ${clients.sales} sales`);
    }
    return { readyAfterMs, sales: clients.sales, complaints: [...complaints, ...clients.complaints] };
  } finally {
    await clients.stop();
    await Promise.all([service.stop(), other?.stop()]);
    deployment.remove();
  }
}

/** Returns the ids that the first list after the start does not have. */
async function notListed(
  deployment: Deployment,
  origin: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const query = ids.map((id) => `id=${id}`).join('&');
  const calls = new ApiClient(sandboxFacts(deployment));
  const response = await calls.send(origin, 'GET', `/v1/transactions?limit=100&${query}`);
  if (response?.status !== 200) return [`the list was answered ${describeResponse(response)}`];
  const listed = (JSON.parse(response.text) as ListPage<TransactionResult>).data.map(({ id }) => id);
  return ids.filter((id) => !listed.includes(id));
}

/** Each client sells on its own terminal without a pause. */
class Clients {
  readonly complaints: string[] = [];
  private readonly sold: string[] = [];
  private lanes: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly deployment: Deployment,
    private readonly origin: string,
  ) {}

  get sales(): number {
    return this.sold.length;
  }

  newest(count: number): readonly string[] {
    return this.sold.slice(-count);
  }

  start(): void {
    const calls = new ApiClient(sandboxFacts(this.deployment));
    const terminals = terminalIds(this.deployment).slice(0, CLIENTS);
    this.lanes = Promise.all(terminals.map((terminal) => this.sell(calls, terminal)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.lanes;
  }

  private async sell(calls: ApiClient, paymentMethodId: string): Promise<void> {
    while (!this.stopped) {
      const body = { amount: 1_000, paymentMethodId };
      const response = await calls.send(this.origin, 'POST', '/v1/transactions/physical-sale', { body });
      if (response?.status === 200) this.sold.push((JSON.parse(response.text) as TransactionResult).id);
      else if (response && response.status !== 500)
        this.complaints.push(`a sale was answered ${response.status}`);
      else await setTimeout(PAUSE_UNANSWERED_MS);
    }
  }
}
