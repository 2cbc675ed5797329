import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { reportOf } from '../services/child.report.js';
import { startApi, startDriver, USUAL_SETTINGS, type ApiService } from '../services/http.services.js';
import { interleaved, percentile, ratio, spread } from '../report/rounds.statistics.js';
import { measureInTurn, postJson, saleLoad, storedCards } from '../load/sale.load.js';

const WORKER = 'webhooks/webhook.worker.js';
const SINK = fileURLToPath(new URL('../../dist/webhooks/webhook.sink.js', import.meta.url));
const CONNECTIONS = 50;
const SALE = '/v1/transactions/token-sale';
const WARM_UP_SALES = 100;
const WARM_UP_SALES_MAX = 1_000;
const QUIET_MS = 500;

export const webhooksBench: Bench = {
  name: 'webhooks',
  title: 'Webhooks',
  method:
    'The receiver is a process of its own on the same machine, with the lowest priority, and answers 204 at once. Deliveries: 8 endpoints with 8 in ' +
    'flight each, bodies of 1.5 kB from a filled file of deliveries, opened, signed, posted, and their results stored; the ' +
    'bare loop signs and posts the same bodies on 64 lanes with the same client. Latency: single sales on an idle service ' +
    'as npm start has it, from the answer of the sale to the arrival at the receiver. Sales with a dispatcher beside them ' +
    'have one endpoint, which gets all of their events.',
  run,
};

async function run(context: BenchContext): Promise<Figure[]> {
  const sink = await Sink.start();
  try {
    return [
      ...(await deliveryFigures(context, sink)),
      await memoryFigure(context),
      await latencyFigure(context, sink),
      await salesFigure(context, sink),
    ];
  } finally {
    sink.stop();
  }
}

async function deliveryFigures({ folder, quick, progress }: BenchContext, sink: Sink): Promise<Figure[]> {
  const events = String(quick ? 250 : 5_000);
  let made = 0;
  const rateOf = (task: string) => async (): Promise<number> => {
    const own = join(folder, `${task}-${(made += 1)}`);
    return (await reportOf<{ readonly rate: number }>(WORKER, task, `${sink.origin}/`, own, events)).rate;
  };
  const sides = { ours: rateOf('deliver'), bare: rateOf('bare') };
  const rates = await interleaved(quick ? 1 : 5, sides, (round) => progress(`deliveries, ${round}`));
  const meaning =
    'The share of the speed of signing and posting that remains with reading, decrypting, claiming and storing results.';
  return [
    { name: 'deliveries', ...spread(rates.ours), unit: '/s', meaning: 'To one receiver.' },
    { name: 'bare loop', ...spread(rates.bare), unit: '/s', meaning: 'Signs and posts.' },
    {
      ...{ name: 'deliveries : bare loop', ...ratio(rates.ours, rates.bare), meaning },
      target: { kind: 'at least', value: 0.5 },
    },
  ];
}

/** Nothing listens at port 9: a part of the backlog is always being tried. */
async function memoryFigure({ folder, quick, progress }: BenchContext): Promise<Figure> {
  progress('memory with a backlog');
  const [few, many, ms] = quick ? ['250', '2500', '500'] : ['2000', '125000', '20000'];
  const measure = async (events: string) => {
    const own = join(folder, `backlog-${events}`);
    const task = (name: string) => [name, 'http://127.0.0.1:9/', own, events, ms];
    const { deliveries } = await reportOf<{ readonly deliveries: number }>(WORKER, ...task('backlog'));
    const { bytes } = await reportOf<{ readonly bytes: number }>(WORKER, ...task('memory'));
    return { deliveries, bytes, text: `${(bytes / 1e6).toFixed(0)} MB` };
  };
  const [small, large] = [await measure(few), await measure(many)];
  return {
    ...{
      name: 'memory with a large backlog : with a small one',
      value: large.bytes / small.bytes,
      unit: '×',
    },
    detail: `${large.deliveries.toLocaleString('en')} deliveries: ${large.text}; ${small.deliveries.toLocaleString('en')}: ${small.text}`,
    meaning: 'The backlog is on disk only.',
    target: { kind: 'at most', value: 1.2 },
  };
}

async function latencyFigure({ folder, quick, progress }: BenchContext, sink: Sink): Promise<Figure> {
  progress('latency');
  const sales = quick ? 30 : 500;
  const api = await startApi(folder, 0, { name: 'latency', settings: USUAL_SETTINGS });
  try {
    await deliverTo(sink, api);
    const [card = ''] = await storedCards(api, 1);
    await untilDelivered(api, card, sink);
    const answeredAt = new Map<string, number>();
    for (let sale = 0; sale < sales; sale++) {
      const { id } = await postJson<{ id: string }>(api, SALE, { paymentMethodId: card, amount: 1_000 });
      answeredAt.set(id, Date.now());
      await sleep(50);
    }
    await sleep(1_000);
    const arrivals = await sink.arrivals();
    const delays = [...answeredAt].map(([id, at]) => (arrivals[id] ?? Number.POSITIVE_INFINITY) - at);
    return {
      ...{ name: 'sale to receiver, p99', value: percentile(delays, 0.99), unit: 'ms' },
      detail: `median ${percentile(delays, 0.5)} ms, ${sales} sales`,
      meaning:
        'From the answer of a sale, which comes right after its append, to the arrival of its webhook.',
      target: { kind: 'at most', value: 100 },
    };
  } finally {
    await api.stop();
  }
}

/** Sells until the dispatcher has started and its code is warm. */
async function untilDelivered(api: ApiService, paymentMethodId: string, sink: Sink): Promise<void> {
  let arrived = 0;
  for (let sale = 0; arrived < WARM_UP_SALES && sale < WARM_UP_SALES_MAX; sale++) {
    await postJson(api, SALE, { paymentMethodId, amount: 1_000 });
    await sleep(50);
    arrived += Object.keys(await sink.arrivals()).length;
  }
}

async function salesFigure({ folder, quick, progress }: BenchContext, sink: Sink): Promise<Figure> {
  const beside = await startApi(folder, 0, { name: 'beside', settings: USUAL_SETTINGS });
  const alone = await startApi(folder, 0, {
    name: 'alone',
    settings: { ...USUAL_SETTINGS, WEBHOOK_DISPATCHER: 'elsewhere' },
  });
  const driver = startDriver();
  try {
    await deliverTo(sink, beside);
    const ms = quick ? 1_000 : 8_000;
    const sell = async (api: ApiService) => {
      const paymentMethodIds = await storedCards(api, CONNECTIONS);
      const methods = { path: SALE, apiKey: api.apiKey, paymentMethodIds };
      return () => driver.drive(saleLoad(api, methods, 'both', ms));
    };
    const besideLoad = await sell(beside);
    const aloneLoad = await sell(alone);
    const loads = {
      beside: besideLoad,
      // What is left to deliver would slow the other service.
      alone: async () => {
        await untilQuiet(sink);
        return aloneLoad();
      },
    };
    const { rates } = await measureInTurn(quick ? 1 : 5, loads, (round) => progress(`sales, ${round}`));
    return {
      ...{ name: 'sales with a dispatcher : without', ...ratio(rates.beside, rates.alone) },
      detail: `${Math.round(spread(rates.beside).value)} /s and ${Math.round(spread(rates.alone).value)} /s`,
      meaning: 'Durable sales with stored cards, while each of them is delivered.',
      target: { kind: 'at least', value: 0.85 },
    };
  } finally {
    await Promise.all([driver.stop(), beside.stop(), alone.stop()]);
  }
}

async function untilQuiet(sink: Sink): Promise<void> {
  do await sleep(QUIET_MS);
  while (Object.keys(await sink.arrivals()).length > 0);
}

/** Moves the demo merchant's only endpoint: the sandbox's own endpoint tester receives in the process that sells. */
async function deliverTo(sink: Sink, { host, port, apiKey }: ApiService): Promise<void> {
  const endpoints = `http://${host}:${port}/v1/webhook-endpoints`;
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const listed = await fetch(endpoints, { headers });
  const { data } = (await listed.json()) as { readonly data: readonly { readonly id: string }[] };
  const body = JSON.stringify({ url: `${sink.origin}/timed` });
  const moved = await fetch(`${endpoints}/${data[0]?.id}`, { method: 'PUT', headers, body });
  if (!moved.ok) throw new Error(`the endpoint was not moved: ${moved.status} ${await moved.text()}`);
}

/** The receiver's process. */
class Sink {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {}

  static async start(): Promise<Sink> {
    const child = fork(SINK, { execArgv: [] });
    const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
    return new Sink(child, `http://127.0.0.1:${port}`);
  }

  /** Unix ms of the first arrival by operation, since the last call. */
  async arrivals(): Promise<Readonly<Record<string, number>>> {
    const answer = once(this.child, 'message') as Promise<[{ readonly arrivals: Record<string, number> }]>;
    this.child.send('arrivals');
    return (await answer)[0].arrivals;
  }

  stop(): void {
    this.child.disconnect();
  }
}
