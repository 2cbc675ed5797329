import { setTimeout } from 'node:timers/promises';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { VIRTUAL_SALE } from './form-sales.bench.js';
import {
  startApi,
  startDriver,
  USUAL_SETTINGS,
  USUAL_SETTINGS_TEXT,
  type ApiService,
} from '../services/http.services.js';
import type { Load, Traffic } from '../load/load.types.js';
import { residentBytes } from '../services/process.memory.js';
import { median, ratio } from '../report/rounds.statistics.js';
import { measureInTurn, saleLoad, storedCards } from '../load/sale.load.js';

const CONNECTIONS = 50;
const TOKEN_SALE = '/v1/transactions/token-sale';
const SAMPLES = 20;

export const waitingFormsBench: Bench = {
  name: 'waiting-forms',
  title: '100,000 forms that wait for their customers',
  method:
    `Two services run with the settings of \`npm start\` (${USUAL_SETTINGS_TEXT}). On one of them 100,000 forms are opened and ` +
    `left. Before and after it both were warmed up with sales; its resident memory is the median of 20 looks at rest. Then ` +
    `both sell with stored cards in turn, on 50 connections.`,
  run,
};

type Drive = (load: Load) => Promise<Traffic>;

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const [forms, ms, rounds, restMs] = quick ? [500, 200, 1, 20] : [100_000, 2_500, 9, 500];
  const waiting = await startApi(folder, 0, { name: 'waiting', settings: USUAL_SETTINGS });
  const running: { stop(): Promise<void> }[] = [waiting];
  try {
    const empty = await startApi(folder, 0, { name: 'empty', settings: USUAL_SETTINGS });
    running.push(empty);
    const driver = startDriver();
    running.push(driver);
    const sales = { waiting: await tokenSales(waiting, ms), empty: await tokenSales(empty, ms) };
    for (let round = 0; round < 4; round++) await driver.drive(sales.waiting);
    await openForms(waiting, driver.drive, Math.min(forms, 2_000), () => undefined);
    const before = await memoryAtRest(waiting, restMs);
    await openForms(waiting, driver.drive, forms, (count) => progress(`${count} of ${forms} forms`));
    const after = await memoryAtRest(waiting, restMs);
    const { rates } = await measureInTurn(
      rounds,
      { waiting: () => driver.drive(sales.waiting), empty: () => driver.drive(sales.empty) },
      progress,
    );
    return [
      {
        name: `memory of ${forms.toLocaleString('en')} waiting forms`,
        value: (after - before) / 1e6,
        unit: 'MB',
        detail: `${(before / 1e6).toFixed(0)} MB before, ${(after / 1e6).toFixed(0)} MB after`,
        target: { kind: 'at most', value: 100 },
        meaning: 'Forms wait in the stores, not in memory.',
      },
      {
        name: 'token sale with waiting forms : without',
        ...ratio(rates.waiting, rates.empty),
        target: { kind: 'at least', value: 0.9 },
        meaning: 'What forms that wait cost other payments.',
      },
    ];
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

async function tokenSales(api: ApiService, ms: number): Promise<Load> {
  const paymentMethodIds = await storedCards(api, CONNECTIONS);
  return saleLoad(api, { path: TOKEN_SALE, apiKey: api.apiKey, paymentMethodIds }, 'plain', ms);
}

/** Opens at least `count` forms. */
async function openForms(
  api: ApiService,
  drive: Drive,
  count: number,
  report: (opened: number) => void,
): Promise<void> {
  const ms = Math.min(2_000, Math.max(50, count));
  const methods = { path: VIRTUAL_SALE, apiKey: api.apiKey, paymentMethodIds: Array(CONNECTIONS).fill('') };
  for (let opened = 0; opened < count; report(Math.round(opened))) {
    const { rate } = await drive({ ...saleLoad(api, methods, 'plain', ms), byForm: 'Waiting' });
    opened += (rate * ms) / 1_000;
  }
}

/** Resident bytes: the median of looks while nothing is asked of the service. */
async function memoryAtRest({ pid }: ApiService, everyMs: number): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await setTimeout(everyMs);
    samples.push(residentBytes(pid));
  }
  return median(samples);
}
