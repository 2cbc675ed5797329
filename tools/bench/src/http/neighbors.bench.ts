import { setTimeout } from 'node:timers/promises';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { Flood, watchReadiness } from '../load/flood.client.js';
import {
  merchantOfLongPayment,
  merchantOfManyTerminals,
  merchantOfManyTokens,
  type FloodingMerchant,
  type MerchantSizes,
} from './flooding.merchants.js';
import {
  startApi,
  startDriver,
  USUAL_SETTINGS,
  USUAL_SETTINGS_TEXT,
  type ApiService,
} from '../services/http.services.js';
import type { Traffic } from '../load/load.types.js';
import { ratio } from '../report/rounds.statistics.js';
import { measureInTurn, saleLoad, speedFigure, storedCards } from '../load/sale.load.js';

const FLOODING_CONNECTIONS = 60;
const SELLING_CONNECTIONS = 50;
const FEW_CONNECTIONS = 8;
const LEAD_MS = 500;
const SIZES: MerchantSizes = { operations: 900, tokens: 1_000, terminals: 10_000 };
const QUICK_SIZES: MerchantSizes = { operations: 30, tokens: 30, terminals: 30 };

export const neighborsBench: Bench = {
  name: 'neighbors',
  title: 'Sales beside a merchant that floods the service',
  method:
    `The API runs with the settings of \`npm start\` (${USUAL_SETTINGS_TEXT}). One merchant sells with stored cards, back to back on 50 ` +
    `connections, and on ${FEW_CONNECTIONS}: alone, and while 60 connections of another merchant send one request after the other and ignore Retry-After. ` +
    `Those read and refund a payment that had 900 operations; or list, store, remove and use the tokens of a holder that had 1,000; or list, ` +
    `add and use the terminals of a merchant that had 10,000. /health/ready is asked every 50 ms meanwhile.`,
  comparison: 'The ratios compare the sales with themselves in the same round.',
  run,
};

const FLOODS = {
  payment: { make: merchantOfLongPayment, label: 'a payment with 900 operations' },
  tokens: { make: merchantOfManyTokens, label: 'a holder of 1,000 tokens' },
  terminals: { make: merchantOfManyTerminals, label: 'a merchant of 10,000 terminals' },
} as const;
type FloodName = keyof typeof FLOODS;
const FLOOD_NAMES = Object.keys(FLOODS) as FloodName[];
/** `few`: on few connections. */
type Side = 'alone' | FloodName | 'few' | `few ${FloodName}`;

/** What the flooding clients and the readiness check saw. */
interface Seen {
  readonly statuses: Map<number, number>;
  notReady: number;
}

async function run({ folder, quick, progress, profileFolder }: BenchContext): Promise<Figure[]> {
  const [ms, rounds, sizes] = quick ? [300, 1, QUICK_SIZES] : [3_000, 5, SIZES];
  const api = await startApi(folder, 0, { name: 'neighbors', profileFolder, settings: USUAL_SETTINGS });
  const driver = startDriver();
  try {
    const cards = await storedCards(api, SELLING_CONNECTIONS);
    const floods = new Map<FloodName, FloodingMerchant>();
    for (const name of FLOOD_NAMES) floods.set(name, await FLOODS[name].make(api, sizes, progress));
    const seen: Seen = { statuses: new Map(), notReady: 0 };
    const load = (connections: number) =>
      saleLoad(
        api,
        {
          path: '/v1/transactions/token-sale',
          apiKey: api.apiKey,
          paymentMethodIds: cards.slice(0, connections),
        },
        'plain',
        ms,
      );
    const sell = (connections: number) => () => driver.drive(load(connections));
    const beside =
      (name: FloodName, connections = SELLING_CONNECTIONS) =>
      async () => {
        const merchant = floods.get(name);
        if (!merchant) throw new Error(`there is no merchant ${name}`);
        return whileFlooded(api, merchant, seen, sell(connections));
      };
    const sides: Record<Side, () => Promise<Traffic>> = {
      alone: sell(SELLING_CONNECTIONS),
      payment: beside('payment'),
      tokens: beside('tokens'),
      terminals: beside('terminals'),
      few: sell(FEW_CONNECTIONS),
      'few payment': beside('payment', FEW_CONNECTIONS),
      'few tokens': beside('tokens', FEW_CONNECTIONS),
      'few terminals': beside('terminals', FEW_CONNECTIONS),
    };
    const measured = await measureInTurn<Side>(rounds, sides, progress);
    return figures(measured, seen);
  } finally {
    await driver.stop();
    await api.stop();
  }
}

async function whileFlooded(
  api: ApiService,
  { next }: FloodingMerchant,
  seen: Seen,
  sell: () => Promise<Traffic>,
): Promise<Traffic> {
  const flood = new Flood(api, FLOODING_CONNECTIONS, next);
  const readiness = watchReadiness(api);
  flood.start();
  await setTimeout(LEAD_MS);
  try {
    return await sell();
  } finally {
    await flood.stop();
    seen.notReady += (await readiness.stop()).length;
    for (const [status, count] of flood.statuses)
      seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + count);
  }
}

function figures(
  { rates, traffic }: Awaited<ReturnType<typeof measureInTurn<Side>>>,
  { statuses, notReady }: Seen,
): Figure[] {
  const target = { kind: 'at least', value: 0.5 } as const;
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const broken = [...statuses].filter(([status]) => status === 0 || status >= 500);
  return [
    ...FLOOD_NAMES.map((name): Figure => ({
      name: `sales beside ${FLOODS[name].label} : alone`,
      ...ratio(rates[name], rates.alone),
      target,
      meaning: 'The share of the sales that remains beside 60 connections of another merchant.',
    })),
    ...FLOOD_NAMES.map((name): Figure => ({
      name: `the same beside ${FLOODS[name].label}, on ${FEW_CONNECTIONS} connections`,
      ...ratio(rates[`few ${name}`], rates.few),
      target,
      meaning: 'A merchant with few requests at once keeps its share too.',
    })),
    speedFigure('sales alone', rates.alone, traffic.alone),
    ...FLOOD_NAMES.map((name) =>
      speedFigure(`sales beside ${FLOODS[name].label}`, rates[name], traffic[name]),
    ),
    {
      name: 'answers with 5xx, or none',
      value: broken.reduce((sum, [, count]) => sum + count, 0),
      unit: '',
      detail: answers,
      target: { kind: 'at most', value: 0 },
      meaning: 'All answers to the flooding merchants.',
    },
    {
      name: '/health/ready not 200',
      value: notReady,
      unit: '',
      target: { kind: 'at most', value: 0 },
      meaning: 'The instance is not taken out of service.',
    },
  ];
}
