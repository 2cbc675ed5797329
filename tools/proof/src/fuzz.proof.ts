import { randomBytes } from 'node:crypto';
import { operationsOf } from './fuzz.operations.js';
import { FuzzTrial } from './fuzz.trial.js';
import { changes, FuzzWatch, heldBy, type Held } from './fuzz.watch.js';
import { FuzzWire } from './fuzz.wire.js';
import { newWorld, type FuzzWorld } from './fuzz.world.js';
import { MerchantCalls, saidBy } from './merchant.calls.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { ServiceProcess } from './service.process.js';
import { freePort, newSite, type Site } from './site.js';

const CONNECTIONS = 20;
/** Of all requests; the rest must be refused, or read only. */
const MAY_BE_RIGHT = 0.06;
const QUIET_WITHIN_MS = 30_000;
const MEGABYTE = 1_048_576;
/** Files that a process opens as it likes: readers of the lists, a log. */
const SPARE_FDS = 8;
const BACK_WITHIN_MS = 90_000;
/** Long enough for a busy machine: no request of this proof is about a processor that is late. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '20000', TERMINAL_DEADLINE_MS: '20000', SEND_WITHIN_MS: '10000' };

export const fuzz: Proof = {
  name: 'fuzz',
  claim:
    'malformed and hostile requests are refused, write nothing, tell nothing and hold nothing (rounds: requests)',
  async run(options: ProofOptions): Promise<Findings> {
    const requests = roundsOf(options, 20_000, 600);
    const seed = options.seed ?? randomBytes(4).readUInt32BE();
    options.say(`seed ${seed}`);
    const site = newSite({ terminals: 2, environment: DEADLINES });
    const service = await ServiceProcess.start(site, { port: await freePort() });
    try {
      return await attacked(service, site, requests, seed, options);
    } finally {
      await service.stop();
      site.remove();
    }
  },
};

async function attacked(
  service: ServiceProcess,
  site: Site,
  requests: number,
  seed: number,
  { quick, say }: ProofOptions,
): Promise<Findings> {
  const world = await newWorld(service.origin, site);
  const { operations, missing } = await operationsOf(world);
  const watch = await FuzzWatch.open(site);
  const wire = new FuzzWire(service.port, CONNECTIONS);
  const trial = new FuzzTrial(wire, world, operations, seed);
  const complaints: string[] = quick ? [] : [...missing];
  const dripping = quick ? undefined : trial.slow(4, true);
  let warm: Held | undefined;
  const step = Math.ceil(requests / (quick ? 2 : 8));
  const looks = quick ? 3 : 12;
  for (let from = 0; from < requests; from += step) {
    const to = Math.min(requests, from + step);
    const right = Math.floor((to - from) * MAY_BE_RIGHT);
    const before = await watch.whenQuiet(QUIET_WITHIN_MS);
    await trial.refused(from, to - right);
    if (from === 0) await trial.slow(quick ? 2 : 10, false);
    const after = await watch.whenQuiet(QUIET_WITHIN_MS);
    const changed = changes(before, after);
    if (changed.length > 0) {
      const events = watch.eventsAfter(before['the head of the log'] ?? 0);
      complaints.push(`cases ${from} to ${to - right} wrote: ${changed.join(', ')}; ${events.join(', ')}`);
    }
    await trial.taken(to - right, to);
    say(`${to} of ${requests} requests, ${trial.complaints.texts.length} kinds of complaints`);
    warm ??= await heldBy(service, looks);
  }
  await dripping;
  wire.close();
  await watch.close();
  complaints.push(...trial.complaints.texts, ...(await unfit(service, world)));
  const { figures, leaks } = await leftBehind(service, warm, quick);
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

/** What it should be able to do after all that. */
async function unfit(service: ServiceProcess, { own, adminKey }: FuzzWorld): Promise<string[]> {
  if (!service.running) return [`the service has ended: ${service.logged.slice(-2_000)}`];
  const health = await service.health();
  const calls = new MerchantCalls({ apiKey: own.apiKey, adminKey });
  const sale = await calls.send(service.origin, 'POST', '/v1/transactions/physical-sale', {
    body: { amount: 1_234, paymentMethodId: own.terminal },
  });
  const isSold = sale?.status === 200 && /"responseCode":1\b/.test(sale.text);
  const look = await calls.send(service.origin, 'GET', `/v1/transactions/${own.sale}`);
  return [
    ...(health.status === 200 ? [] : [`/health/ready is ${health.status}: ${health.text}`]),
    ...(isSold ? [] : [`it sells no more: ${saidBy(sale)}`]),
    ...(look?.status === 200 ? [] : [`its first sale is gone: ${saidBy(look)}`]),
  ];
}

async function leftBehind(
  service: ServiceProcess,
  warm: Held | undefined,
  quick: boolean,
): Promise<{ readonly figures: Findings['figures']; readonly leaks: readonly string[] }> {
  if (!warm || !service.running) return { figures: {}, leaks: [] };
  const until = performance.now() + BACK_WITHIN_MS;
  const mb = (bytes: number): number => Math.round(bytes / MEGABYTE);
  const grown = (held: Held): readonly string[] => [
    ...(isMore(warm.heap, held.heap) ? [`the heap grew from ${mb(warm.heap)} to ${mb(held.heap)} MB`] : []),
    ...(isMore(warm.rss, held.rss) ? [`the memory grew from ${mb(warm.rss)} to ${mb(held.rss)} MB`] : []),
    ...(held.fds > warm.fds + SPARE_FDS ? [`open files went from ${warm.fds} to ${held.fds}`] : []),
  ];
  // Nobody can ask for garbage to be taken away: it is waited for, with traffic that makes some.
  let held = await heldBy(service, quick ? 3 : 12);
  while (grown(held).length > 0 && performance.now() < until) {
    const now = await heldBy(service, 3);
    const { min } = Math;
    held = { rss: min(held.rss, now.rss), heap: min(held.heap, now.heap), fds: min(held.fds, now.fds) };
  }
  return {
    figures: {
      'RSS MB': `${mb(warm.rss)} to ${mb(held.rss)}`,
      'heap MB': `${mb(warm.heap)} to ${mb(held.heap)}`,
      'open files': `${warm.fds} to ${held.fds}`,
    },
    leaks: grown(held),
  };
}

const isMore = (before: number, after: number): boolean =>
  after > before + Math.max(0.15 * before, 30 * MEGABYTE);
