import { setTimeout } from 'node:timers/promises';
import type { ListPage, TransactionResult } from '@tillstream/contracts';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { ApiClient, describeResponse, transactionIn } from '../support/api.client.js';
import { newDeployment, sandboxFacts, terminalIds } from '../support/deployment.js';
import { Repetition } from '../support/concurrency.js';

const CLIENTS = 20;
const READY_TIMEOUT_MS = 5_000;
/** The short version runs beside other tests, which take most of the machine. */
const READY_BESIDE_TESTS_MS = 15_000;
const SOLD_BEFORE_KILL_MS = 3_000;
const PAUSE_UNANSWERED_MS = 20;
/** So many of the newest sales before a start are checked. */
const CHECKED_SALES = 20;

export const readyUnderLoad: Proof = {
  name: 'ready-under-load',
  claim: `killed and started again while ${CLIENTS} clients sell at full rate, an instance is ready within ${READY_TIMEOUT_MS / 1_000} s and lists what was stored before (rounds: kills of each kind)`,
  async run(options) {
    const kills = roundCount(options, 10, 3);
    const itself = await trial(options, kills, 'itself', false);
    const beside = await trial(options, kills, 'beside', true);
    return {
      complaints: [...itself.complaints, ...beside.complaints],
      figures: { kills: 2 * kills, ...itself.figures, ...beside.figures },
    };
  },
};

/** Kills one instance again and again. @param beside the clients sell at another instance */
async function trial(options: ProofOptions, kills: number, name: string, beside: boolean): Promise<Findings> {
  const deployment = newDeployment(CLIENTS);
  let service = await ServiceProcess.start(deployment);
  const { port } = service;
  const readyWithin = options.quick ? READY_BESIDE_TESTS_MS : READY_TIMEOUT_MS;
  const other = beside ? await ServiceProcess.start(deployment) : undefined;
  const calls = new ApiClient(sandboxFacts(deployment));
  const complaints: string[] = [];
  const sold: string[] = [];
  const readyAfterMs: number[] = [];
  const { origin } = other ?? service;
  // Each client sells on its own terminal without a pause.
  const clients = terminalIds(deployment).map(
    (paymentMethodId) =>
      new Repetition(async () => {
        const body = { amount: 1_000, paymentMethodId };
        const response = await calls.send(origin, 'POST', '/v1/transactions/physical-sale', { body });
        const sale = response && transactionIn(response);
        if (sale) sold.push(sale.id);
        else if (response && response.status !== 500)
          complaints.push(`a sale was answered ${response.status}`);
        else await setTimeout(PAUSE_UNANSWERED_MS);
      }),
  );
  try {
    for (let kill = 1; kill <= kills; kill++) {
      await setTimeout(SOLD_BEFORE_KILL_MS);
      await service.kill();
      const newest = sold.slice(-CHECKED_SALES);
      const startedAt = performance.now();
      service = await ServiceProcess.start(deployment, { port });
      const after = Math.round(performance.now() - startedAt);
      readyAfterMs.push(after);
      if (after > readyWithin) complaints.push(`${name}, kill ${kill}: ready after ${after} ms`);
      const missing = await notListed(calls, service.origin, newest);
      if (missing.length > 0) complaints.push(`${name}, kill ${kill}: not listed: ${missing.join(', ')}`);
      options.say(`${name}: kill ${kill} of ${kills}, ready after ${after} ms, ${sold.length} sales`);
    }
    const sorted = readyAfterMs.toSorted((a, b) => a - b);
    const figures = {
      [`${name}: sales`]: sold.length,
      [`${name}: ready after ms, median`]: sorted[sorted.length >> 1] ?? 0,
      [`${name}: at most`]: sorted.at(-1) ?? 0,
    };
    return { complaints, figures };
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
    await Promise.all([service.stop(), other?.stop()]);
    deployment.remove();
  }
}

/** Returns the ids that the first list after the start does not have. */
async function notListed(
  calls: ApiClient,
  origin: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const query = ids.map((id) => `id=${id}`).join('&');
  const response = await calls.send(origin, 'GET', `/v1/transactions?limit=100&${query}`);
  if (response?.status !== 200) return [`the list was answered ${describeResponse(response)}`];
  const listed = (JSON.parse(response.text) as ListPage<TransactionResult>).data.map(({ id }) => id);
  return ids.filter((id) => !listed.includes(id));
}
