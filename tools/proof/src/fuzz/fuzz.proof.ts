import { randomBytes } from 'node:crypto';
import { readOperations } from './api.operations.js';
import { FuzzTrial } from './fuzz.trial.js';
import { changes, leastOf, measureResources, ServiceWatch, type ProcessResources } from './service.watch.js';
import { HttpSender } from './http.sender.js';
import { createFixture, type FuzzFixture } from './fuzz.fixture.js';
import { ApiClient, describeResponse } from '../support/api.client.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { ServiceProcess } from '../processes/service.process.js';
import { newDeployment, type Deployment } from '../support/deployment.js';

const CONNECTIONS = 20;
/** Share of requests that may be valid. */
const MAY_BE_RIGHT = 0.06;
const QUIET_TIMEOUT_MS = 30_000;
const MEGABYTE = 1_048_576;
/** Files that a process may open at any time, such as list readers and logs. */
const SPARE_FDS = 8;
const RELEASE_TIMEOUT_MS = 90_000;
/** Long deadlines: no case is about a late processor. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '20000', TERMINAL_DEADLINE_MS: '20000', SEND_WITHIN_MS: '10000' };

export const fuzz: Proof = {
  name: 'fuzz',
  claim:
    'malformed and hostile requests are refused, write nothing, reveal nothing and leak no memory or files (rounds: requests)',
  async run(options) {
    const deployment = newDeployment(2, DEADLINES);
    const service = await ServiceProcess.start(deployment);
    try {
      return await runTrial(service, deployment, options);
    } finally {
      await service.stop();
      deployment.remove();
    }
  },
};

async function runTrial(
  service: ServiceProcess,
  deployment: Deployment,
  options: ProofOptions,
): Promise<Findings> {
  const { quick, say, seed = randomBytes(4).readUInt32BE() } = options;
  say(`seed ${seed}`);
  const requests = roundCount(options, 20_000, 600);
  const fixture = await createFixture(service.origin, deployment);
  const operations = await readOperations(fixture);
  const watch = await ServiceWatch.open(deployment);
  const sender = new HttpSender(service.port, CONNECTIONS);
  const trial = new FuzzTrial(sender, fixture, operations, seed);
  const complaints: string[] = [];
  const dripping = quick ? undefined : trial.slow(4, true);
  let warm: ProcessResources | undefined;
  const step = Math.ceil(requests / (quick ? 2 : 8));
  const samples = quick ? 3 : 12;
  for (let from = 0; from < requests; from += step) {
    const to = Math.min(requests, from + step);
    const right = Math.floor((to - from) * MAY_BE_RIGHT);
    const before = await watch.whenQuiet(QUIET_TIMEOUT_MS);
    await trial.refused(from, to - right);
    if (from === 0) await trial.slow(quick ? 2 : 10, false);
    const after = await watch.whenQuiet(QUIET_TIMEOUT_MS);
    const changed = changes(before, after);
    if (changed.length > 0) {
      const events = watch.eventsAfter(before['the head of the log'] ?? 0);
      complaints.push(`cases ${from} to ${to - right} wrote: ${changed.join(', ')}; ${events.join(', ')}`);
    }
    await trial.taken(to - right, to);
    say(`${to} of ${requests} requests, ${trial.complaints.texts.length} kinds of complaints`);
    warm ??= await measureResources(service, samples);
  }
  await dripping;
  sender.close();
  await watch.close();
  complaints.push(...trial.complaints.texts, ...(await serviceErrors(service, fixture)));
  const { figures, leaks } = await leakedResources(service, warm, quick);
  return {
    complaints: [...complaints, ...leaks],
    figures: {
      seed,
      requests: trial.requests,
      operations: operations.length,
      ...Object.fromEntries([...trial.statuses].sort().map(([status, count]) => [`of ${status}`, count])),
      'median ms': trial.quantile(0.5),
      'p99 ms': trial.quantile(0.99),
      'slowest ms': trial.quantile(1),
      ...figures,
    },
  };
}

/** Checks that the service still works. */
async function serviceErrors(service: ServiceProcess, { own, adminKey }: FuzzFixture): Promise<string[]> {
  if (!service.running) return [`the service has ended: ${service.logged.slice(-2_000)}`];
  const health = await service.health();
  const calls = new ApiClient({ apiKey: own.apiKey, adminKey });
  const sale = await calls.send(service.origin, 'POST', '/v1/transactions/physical-sale', {
    body: { amount: 1_234, paymentMethodId: own.terminal },
  });
  const isSold = sale?.status === 200 && /"responseCode":1\b/.test(sale.text);
  const look = await calls.send(service.origin, 'GET', `/v1/transactions/${own.sale}`);
  return [
    ...(health.status === 200 ? [] : [`/health/ready is ${health.status}: ${health.text}`]),
    ...(isSold ? [] : [`it sells no more: ${describeResponse(sale)}`]),
    ...(look?.status === 200 ? [] : [`its first sale is gone: ${describeResponse(look)}`]),
  ];
}

async function leakedResources(
  service: ServiceProcess,
  warm: ProcessResources | undefined,
  quick: boolean,
): Promise<{ readonly figures: Findings['figures']; readonly leaks: readonly string[] }> {
  if (!warm || !service.running) return { figures: {}, leaks: [] };
  const until = performance.now() + RELEASE_TIMEOUT_MS;
  const change = (of: 'heap' | 'rss', now: ProcessResources): string =>
    `${Math.round(warm[of] / MEGABYTE)} to ${Math.round(now[of] / MEGABYTE)}`;
  const grown = (now: ProcessResources): string[] => [
    ...(isMore(warm.heap, now.heap) ? [`the heap grew from ${change('heap', now)} MB`] : []),
    ...(isMore(warm.rss, now.rss) ? [`the memory grew from ${change('rss', now)} MB`] : []),
    ...(now.fds > warm.fds + SPARE_FDS ? [`open files went from ${warm.fds} to ${now.fds}`] : []),
  ];
  // The proof can't start a collection: it sends traffic and waits for one.
  let resources = await measureResources(service, quick ? 3 : 12);
  while (grown(resources).length > 0 && performance.now() < until)
    resources = leastOf([resources, await measureResources(service, 3)]);
  return {
    figures: {
      'RSS MB': change('rss', resources),
      'heap MB': change('heap', resources),
      'open files': `${warm.fds} to ${resources.fds}`,
    },
    leaks: grown(resources),
  };
}

const isMore = (before: number, after: number): boolean =>
  after > before + Math.max(0.15 * before, 30 * MEGABYTE);
