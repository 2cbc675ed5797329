import { setTimeout } from 'node:timers/promises';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { BankMerchant, moveClock } from './bank.merchant.js';
import {
  startApi,
  startDriver,
  USUAL_SETTINGS,
  USUAL_SETTINGS_TEXT,
  type ApiService,
  type Driver,
} from '../services/http.services.js';
import { now } from '../load/pace.js';
import { SLICE_MS, type Load, type Timeline, type Traffic } from '../load/load.types.js';
import { ratio, spread } from '../report/rounds.statistics.js';
import { measureInTurn, saleLoad, speedFigure, storedCards, type Measured } from '../load/sale.load.js';

const CONNECTIONS = 50;
const TOKEN_SALE = '/v1/transactions/token-sale';
const ANSWER_AFTER_S = 24 * 3_600;
/** The bank's answers fall due between the two moves of the clock. */
const BEFORE_DUE_S = 300;
const POLL_MS = 50;
/** Longer than any load takes that ends by itself. */
const LOAD_MAX_MS = 300_000;
const LEAD_MS = 1_000;

export const bankAnswersBench: Bench = {
  name: 'bank-answers',
  title: '10,000 answers of a bank in the same second',
  method:
    `The API runs with the settings of \`npm start\` (${USUAL_SETTINGS_TEXT}). In each round one merchant makes 10,000 sales ` +
    `with a stored bank account, and the clock is moved to the moment before the bank answers: batches that fall due ` +
    `until then are closed. Then another merchant sells with stored cards: first back to back on 50 connections, as in the other ` +
    `sections ("durable sales"); then, as its steady load, in an open loop on 50 connections, at half of the best ` +
    `rate that the service reached back to back; then the same steady load goes on while the clock is moved so that all ` +
    `answers of the bank are due at once. They are worked off when no payment of the first merchant is Processing in ` +
    `its list, which is asked every 50 ms. Every tenth payment has two more messages of the bank: a repeated answer and a stale one. ` +
    `The rate counts payments. The sales of the steady load count if they are answered within this time.`,
  comparison: 'Both ratios compare the service with itself in the same round.',
  run,
};

type Side = 'sales' | 'steady' | 'answers';

interface Parts {
  readonly api: ApiService;
  readonly driver: Driver;
  readonly bank: BankMerchant;
  /** Payments of a round that wait for the bank. */
  readonly payments: number;
  /** The other merchant, back to back. */
  readonly sales: Load;
}

async function run({ folder, quick, progress, profileFolder }: BenchContext): Promise<Figure[]> {
  const [payments, ms, rounds] = quick ? [100, 200, 1] : [10_000, 2_500, 5];
  const api = await startApi(folder, 0, { profileFolder, settings: USUAL_SETTINGS });
  const running: { stop(): Promise<void> }[] = [api];
  try {
    const bank = await BankMerchant.open(api);
    const cards = await storedCards(api, CONNECTIONS);
    const driver = startDriver();
    running.push(driver);
    const methods = { path: TOKEN_SALE, apiKey: api.apiKey, paymentMethodIds: cards };
    const parts = { api, driver, bank, payments, sales: saleLoad(api, methods, 'plain', ms) };
    const steady = { ...parts.sales, ms: 2 * ms, perSecond: await steadyRate(parts) };
    const measured = await measureInTurn<Side>(
      rounds,
      {
        sales: async () => {
          await makeBankPayments(parts);
          return driver.drive(parts.sales);
        },
        steady: () => driver.drive(steady),
        answers: () => workOff(parts, steady),
      },
      progress,
    );
    return figures(measured, parts, steady.perSecond);
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

/** Half as many sales a second as the service answers back to back at most. */
async function steadyRate({ driver, sales }: Parts): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < 3; round++) rates.push((await driver.drive(sales)).rate);
  return Math.max(1, Math.floor(Math.max(...rates) / 2));
}

/** Leaves the clock a moment before the bank answers the first of them. */
async function makeBankPayments({ api, driver, bank, payments, sales }: Parts): Promise<void> {
  const paymentMethodIds = Array<string>(CONNECTIONS).fill(bank.tokenId);
  const load = { ...sales, apiKey: bank.apiKey, paymentMethodIds, salesMax: payments };
  await driver.drive({ ...load, ms: LOAD_MAX_MS, answeredAs: 'Processing' });
  let { pending } = await moveClock(api, ANSWER_AFTER_S - BEFORE_DUE_S, true);
  while (pending > 0) ({ pending } = await moveClock(api, 1, true));
}

/** The rate is that of the bank payments, the other facts are those of the sales beside them. */
async function workOff({ api, driver, bank, payments }: Parts, steady: Load): Promise<Traffic> {
  const others = driver.drive({ ...steady, ms: LOAD_MAX_MS });
  await setTimeout(LEAD_MS);
  const from = now();
  await moveClock(api, 2 * BEFORE_DUE_S, false);
  while (await bank.isAnyWaiting()) await setTimeout(POLL_MS);
  const to = now();
  driver.halt();
  const traffic = await others;
  const timeline = within(traffic.timeline, from, to);
  return { ...traffic, rate: (payments * 1_000) / (to - from), timeline };
}

/** The slices between two instants. A window shorter than a slice has one. */
function within({ startedAt, counts }: Timeline = { startedAt: 0, counts: [] }, from: number, to: number) {
  const first = Math.ceil((from - startedAt) / SLICE_MS);
  const last = Math.max(first + 1, Math.floor((to - startedAt) / SLICE_MS));
  return { startedAt: startedAt + first * SLICE_MS, counts: counts.slice(first, last) };
}

function figures({ rates, traffic }: Measured<Side>, { payments }: Parts, perSecond: number): Figure[] {
  const beside = traffic.answers.map(({ timeline }) => soldPerSecond(timeline));
  const count = payments.toLocaleString('en');
  return [
    {
      name: `answers of a bank : durable sales`,
      ...ratio(rates.answers, rates.sales),
      target: { kind: 'at least', value: 0.5 },
      meaning: `How fast ${count} answers are worked off, while another merchant sells.`,
    },
    {
      name: `steady sales beside the answers : alone, ${perSecond}/s`,
      ...ratio(beside, rates.steady),
      target: { kind: 'at least', value: 0.8 },
      meaning: 'The share of the sales of others that remains beside the answers of a bank.',
    },
    { ...speedFigure('durable sales', rates.sales, traffic.sales) },
    {
      name: 'answers of a bank',
      ...spread(rates.answers),
      unit: '/s',
      meaning: 'Payments that have their outcome.',
    },
    speedFigure('steady sales alone', rates.steady, traffic.steady),
    speedFigure('steady sales beside the answers', beside, traffic.answers),
  ];
}

function soldPerSecond(timeline: Timeline | undefined): number {
  const counts = timeline?.counts ?? [];
  return (counts.reduce((sum, count) => sum + count, 0) * 1_000) / (counts.length * SLICE_MS);
}
