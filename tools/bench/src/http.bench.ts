import type { Bench, Figure, Stage } from './bench.types.js';
import { startApi, startBare, startDriver, type ApiService, type Service } from './http.services.js';
import type { Load, Traffic } from './load.types.js';
import { interleaved, median, ratio, type Rounds } from './rounds.statistics.js';

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
  run,
};

const VARIANTS = {
  plain: { label: 'sale', withReferenceId: false, withIdempotencyKey: false },
  reference: { label: 'sale with referenceId', withReferenceId: true, withIdempotencyKey: false },
  key: { label: 'sale with Idempotency-Key', withReferenceId: false, withIdempotencyKey: true },
  both: { label: 'sale with both', withReferenceId: true, withIdempotencyKey: true },
} as const;

type Variant = keyof typeof VARIANTS;
/** `unlisted`: the same sale where no lists are kept. */
type Side = Variant | 'bare' | 'unlisted';

async function run({ folder, quick, progress, profileFolder }: Stage): Promise<Figure[]> {
  const [ms, rounds] = quick ? [200, 1] : [2_500, 9];
  const api = await startApi(folder, CONNECTIONS, { profileFolder });
  const running: { stop(): Promise<void> }[] = [api];
  try {
    if (api.terminals.length < CONNECTIONS)
      throw new Error('a terminal serves one sale at a time: there are too few');
    const bare = await startBare(folder, api.apiKey, await anAnswer(api));
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
    const side = (name: Side, service: Service, variant: Variant) => async (): Promise<number> => {
      const now = await driver.drive(loadOf(api, service, variant, ms));
      traffic[name].push(now);
      return now.rate;
    };
    const rates = await interleaved<Side>(
      rounds,
      {
        bare: side('bare', bare, 'plain'),
        plain: side('plain', api, 'plain'),
        unlisted: async () => {
          const now = await driver.drive(loadOf(unlisted, unlisted, 'plain', ms));
          traffic.unlisted.push(now);
          return now.rate;
        },
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

function loadOf(
  { apiKey, terminals }: ApiService,
  { host, port }: Service,
  variant: Variant,
  ms: number,
): Load {
  const { withReferenceId, withIdempotencyKey } = VARIANTS[variant];
  return { host, port, path: SALE, apiKey, terminals, ms, withReferenceId, withIdempotencyKey };
}

/** What the bare handler answers too. */
async function anAnswer({ host, port, apiKey, terminals }: ApiService): Promise<object> {
  const response = await fetch(`http://${host}:${port}${SALE}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1250, paymentMethodId: terminals[0] }),
  });
  if (!response.ok) throw new Error(`the first sale was answered with ${response.status}`);
  return (await response.json()) as object;
}

function figures(rates: Rounds<Side>, traffic: Readonly<Record<Side, readonly Traffic[]>>): Figure[] {
  const variants = Object.keys(VARIANTS) as Variant[];
  const ratios = variants.map((variant): Figure => {
    const { median: value, least, most } = ratio(rates[variant], rates.bare);
    const name = `${VARIANTS[variant].label} : bare handler`;
    return { name, value, least, most, unit: '×', meaning: MEANING[variant] };
  });
  const speeds = (['bare', ...variants, 'unlisted'] as const).map((side): Figure => {
    const rounds = traffic[side].slice(1);
    const p50 = median(rounds.map((round) => round.p50)).toFixed(1);
    const p99 = median(rounds.map((round) => round.p99)).toFixed(1);
    const name = NAMES[side] ?? VARIANTS[side as Variant].label;
    const detail = `p50 ${p50} ms, p99 ${p99} ms`;
    return {
      name,
      value: median(rates[side]),
      unit: '/s',
      detail,
      meaning: 'Answered sales, and how long one takes.',
    };
  });
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
