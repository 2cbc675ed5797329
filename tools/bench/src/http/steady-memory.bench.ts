import { setTimeout } from 'node:timers/promises';
import type { Bench, Figure, BenchContext } from '../bench.types.js';
import { projectorBeside } from './footprint.bench.js';
import { startApi, startDriver, USUAL_SETTINGS, USUAL_SETTINGS_TEXT } from '../services/http.services.js';
import { residentBytes } from '../services/process.memory.js';
import { median } from '../report/rounds.statistics.js';
import { refusedText, saleLoad, storedCards } from '../load/sale.load.js';

const CONNECTIONS = 50;
const MINUTE = 60_000;

export const steadyMemoryBench: Bench = {
  name: 'steady-memory',
  title: 'Memory under ten minutes of load',
  isLong: true,
  method:
    `Sales with stored cards, each with a referenceId and an Idempotency-Key, on 50 connections, as many as are ` +
    `answered, for ten minutes without a pause; the settings are those of \`npm start\` (${USUAL_SETTINGS_TEXT}). Resident ` +
    `memory is looked at every second. Compared is the median of a twentieth of the time at the end with that of a ` +
    `twentieth right after the first quarter, in which heaps and caches fill: garbage that waits for its collection ` +
    `makes single looks meaningless.`,
  run,
};

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const [ms, every] = quick ? [20_000, 200] : [10 * MINUTE, 1_000];
  const api = await startApi(folder, 0, { settings: USUAL_SETTINGS });
  const driver = startDriver();
  try {
    const projector = await projectorBeside(api);
    const paymentMethodIds = await storedCards(api, CONNECTIONS);
    const methods = { path: '/v1/transactions/token-sale', apiKey: api.apiKey, paymentMethodIds };
    const samples = { api: [] as number[], projector: [] as number[] };
    let isOver = false;
    const load = driver.drive(saleLoad(api, methods, 'both', ms)).finally(() => (isOver = true));
    // The rejection is handled where `load` is awaited.
    load.catch(() => undefined);
    const startedAt = performance.now();
    for (let sample = 1; !isOver; sample++) {
      samples.api.push(residentBytes(api.pid));
      samples.projector.push(residentBytes(projector));
      progress(`${Math.round((performance.now() - startedAt) / 1_000)} of ${ms / 1_000} s`);
      await Promise.race([setTimeout(Math.max(0, startedAt + sample * every - performance.now())), load]);
    }
    const traffic = await load;
    return [
      growthFigure('API', growth(samples.api)),
      growthFigure('settlement projector', growth(samples.projector)),
      {
        name: 'sales in this time',
        value: traffic.rate,
        unit: '/s',
        detail: `${Math.round((traffic.rate * ms) / 1_000).toLocaleString('en')} in all${refusedText([traffic])}`,
        meaning: 'Answered as completed.',
      },
    ];
  } finally {
    await Promise.all([driver.stop(), api.stop()]);
  }
}

function growthFigure(name: string, { quarter, end, peak }: Growth): Figure {
  const [before, after, most] = [quarter, end, peak].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`);
  return {
    name: `memory of the ${name} at the end : after a quarter`,
    value: end / quarter,
    unit: '×',
    detail: `${before} then, ${after} at the end, ${most} at most`,
    meaning: 'Nothing in memory grows with the number of payments.',
    target: { kind: 'at most', value: 1.1 },
  };
}

/** In the unit of the samples. */
interface Growth {
  /** Median right after the first quarter of the samples. */
  readonly quarter: number;
  readonly end: number;
  readonly peak: number;
}

/** @param samples at equal intervals; the medians are those of a twentieth of them */
export function growth(samples: readonly number[]): Growth {
  const part = Math.max(1, Math.floor(samples.length / 20));
  const first = Math.floor(samples.length / 4);
  return {
    quarter: median(samples.slice(first, first + part)),
    end: median(samples.slice(-part)),
    peak: samples.reduce((most, sample) => Math.max(most, sample), 0),
  };
}
