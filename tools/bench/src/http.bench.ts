import type { Bench, Figure, BenchContext } from './bench.types.js';
import { BARE_COMPARISON, startApi, startBare, startDriver, type Service } from './http.services.js';
import type { Traffic } from './load.types.js';
import { interleaved, ratio, type Rounds } from './rounds.statistics.js';
import { sampleResponse, saleLoad, speedFigure, VARIANTS, VARIANT_NAMES, type Variant } from './sale.load.js';

const CONNECTIONS = 50;
const SALE = '/v1/transactions/physical-sale';

export const httpBench: Bench = {
  name: 'http',
  title: 'Physical sales over HTTP, 50 connections',
  method:
    `The API runs in sandbox mode in a process of its own, on a new data directory; every connection keeps alive and ` +
    `sells on a terminal of its own, the next sale when the last one was answered as completed. The bare handler is a ` +
    `NestJS application on platform-express in a process of its own: a guard on the key's header, class-validator on ` +
    `the same fields, an answer of the same bytes, no storage and no log. The load driver is a third process on the ` +
    `same machine.`,
  comparison: BARE_COMPARISON,
  run,
};

/** `unlisted`: a service without lists. */
type Side = Variant | 'bare' | 'unlisted';

async function run({ folder, quick, progress, profileFolder }: BenchContext): Promise<Figure[]> {
  const [ms, rounds] = quick ? [200, 1] : [2_500, 9];
  const api = await startApi(folder, CONNECTIONS, { profileFolder });
  const running: { stop(): Promise<void> }[] = [api];
  try {
    if (api.terminals.length < CONNECTIONS)
      throw new Error('a terminal serves one sale at a time: there are too few');
    const bare = await startBare(
      folder,
      api.apiKey,
      await sampleResponse(api, SALE, { paymentMethodId: api.terminals[0] }),
    );
    running.push(bare);
    const unlisted = await startApi(folder, CONNECTIONS, {
      name: 'unlisted',
      settings: { SANDBOX_LISTS: 'off' },
    });
    running.push(unlisted);
    const driver = startDriver();
    running.push(driver);
    const traffic: Record<Side, Traffic[]> = {
      bare: [],
      plain: [],
      unlisted: [],
      reference: [],
      key: [],
      both: [],
    };
    const side =
      (name: Side, service: Service, variant: Variant, seller = api) =>
      async (): Promise<number> => {
        const methods = { path: SALE, apiKey: seller.apiKey, paymentMethodIds: seller.terminals };
        const now = await driver.drive(saleLoad(service, methods, variant, ms));
        traffic[name].push(now);
        return now.rate;
      };
    const rates = await interleaved<Side>(
      rounds,
      {
        bare: side('bare', bare, 'plain'),
        plain: side('plain', api, 'plain'),
        unlisted: side('unlisted', unlisted, 'plain', unlisted),
        reference: side('reference', api, 'reference'),
        key: side('key', api, 'key'),
        both: side('both', api, 'both'),
      },
      (round) => progress(`round ${round} of ${rounds}`),
    );
    return figures(rates, traffic);
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

function figures(rates: Rounds<Side>, traffic: Readonly<Record<Side, readonly Traffic[]>>): Figure[] {
  const ratios = VARIANT_NAMES.map((variant): Figure => {
    const { median: value, least, most } = ratio(rates[variant], rates.bare);
    const name = `${VARIANTS[variant].label} : bare handler`;
    return { name, value, least, most, unit: '×', meaning: MEANING[variant] };
  });
  const speeds = (['bare', ...VARIANT_NAMES, 'unlisted'] as const).map((side) =>
    speedFigure(NAMES[side] ?? VARIANTS[side as Variant].label, rates[side], traffic[side].slice(1)),
  );
  const listed = ratio(rates.plain, rates.unlisted);
  const cost: Figure = {
    name: 'sale : sale without lists',
    value: listed.median,
    least: listed.least,
    most: listed.most,
    unit: '×',
    target: { kind: 'at least', value: 0.85 },
    meaning: 'What is left of the speed of sales when every one is in all lists before it is answered.',
  };
  return [...ratios, cost, ...speeds];
}

const NAMES: Partial<Record<Side, string>> = { bare: 'bare handler', unlisted: 'sale without lists' };

const MEANING: Record<Variant, string> = {
  plain: 'What two durable appends, the simulated acquirer and the log leave of the speed of HTTP.',
  reference: 'One more durable append before the request: the claim of the reference.',
  key: 'The reservation rides in the commit of the request; the sealed answer is one more row.',
  both: 'Three durable appends and the kept answer.',
};
