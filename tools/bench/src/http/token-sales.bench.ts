import { join } from 'node:path';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { durableWrites } from './durable.writes.js';
import {
  BARE_COMPARISON,
  START_FLAGS,
  startApi,
  startBare,
  startDriver,
  USUAL_SETTINGS,
  USUAL_SETTINGS_TEXT,
  WITHOUT_DELIVERY,
  WITHOUT_DELIVERY_TEXT,
  type Service,
} from '../services/http.services.js';
import { trafficOf } from '../load/loops.js';
import type { Load, Traffic } from '../load/load.types.js';
import { median, ratio, spread, type Rounds } from '../report/rounds.statistics.js';
import { processorSeconds } from '../services/process.time.js';
import {
  measureInTurn,
  sampleResponse,
  saleLoad,
  speedFigure,
  storedCards,
  VARIANTS,
  VARIANT_NAMES,
  type Measured,
  type Variant,
} from '../load/sale.load.js';

const CONNECTIONS = 50;
const SALE = '/v1/transactions/token-sale';

export const tokenSalesBench: Bench = {
  name: 'token-sales',
  title: 'Sales with stored cards over HTTP, 50 connections',
  method:
    `The API runs as \`npm start\` runs it, with its settings: ${USUAL_SETTINGS_TEXT}; the settlement projector runs beside ` +
    `it on the same machine, as does the load driver. ${WITHOUT_DELIVERY_TEXT} The cards were taken at a terminal ` +
    `(POST /v1/payment-methods/physical), one for each connection. The bare handler is the same as for physical sales, ` +
    `with the fields of a sale by token. One runs without Node flags, a second one with the flags that \`npm start\` gives the ` +
    `API. In the open loop the driver fixes the instant of each sale before the first, at equal distances, at half of the ` +
    `best rate that the API reached in the closed loop; a sale's latency ` +
    `is counted from its instant and not from its sending, so that what waits behind a slow answer counts as slow too. ` +
    `The disk alone is asked at the same pace: those that wait share one write of 4 KB and its sync.`,
  comparison: BARE_COMPARISON,
  run,
};

/** `oneCard`: all connections sell with the same stored card. */
type Side = Variant | 'bare' | 'flagged' | 'oneCard';
/** `disk`: the durable writes alone, without HTTP. */
type Paced = 'bare' | 'plain' | 'disk';

interface ClosedLoop extends Measured<Side> {
  /** Of all threads of the service, in µs for each answered sale. */
  readonly processorTimes: Rounds<'bare' | 'plain'>;
}

const COMPARED = [...VARIANT_NAMES, 'oneCard'] as const;
type Compared = (typeof COMPARED)[number];

const NAMES: Record<Side | Paced, string> = {
  bare: 'bare handler',
  flagged: 'bare handler with the flags of npm start',
  disk: 'one synced write',
  plain: `token ${VARIANTS.plain.label}`,
  reference: `token ${VARIANTS.reference.label}`,
  key: `token ${VARIANTS.key.label}`,
  both: `token ${VARIANTS.both.label}`,
  oneCard: 'token sale, all with one card',
};

interface Sides {
  readonly services: Readonly<Record<'api' | 'bare' | 'flagged', Service>>;
  readonly drive: (load: Load) => Promise<Traffic>;
  /** Of the closed and of the open loop: a stored card for each connection. */
  readonly methods: Pick<Load, 'path' | 'apiKey' | 'paymentMethodIds'>;
  readonly folder: string;
}

async function run({ folder, quick, progress, profileFolder }: BenchContext): Promise<Figure[]> {
  const api = await startApi(folder, 0, {
    profileFolder,
    settings: { ...USUAL_SETTINGS, ...WITHOUT_DELIVERY },
  });
  const running: { stop(): Promise<void> }[] = [api];
  try {
    const cards = await storedCards(api, CONNECTIONS);
    const response = await sampleResponse(api, SALE, { paymentMethodId: cards[0] });
    const bare = await startBare(folder, api.apiKey, { response });
    running.push(bare);
    const flagged = await startBare(folder, api.apiKey, { response }, START_FLAGS);
    running.push(flagged);
    const driver = startDriver();
    running.push(driver);
    const sides: Sides = {
      services: { api, bare, flagged },
      drive: (load) => driver.drive(load),
      methods: { path: SALE, apiKey: api.apiKey, paymentMethodIds: cards },
      folder,
    };
    const closed = await closedLoop(sides, quick, progress);
    const perSecond = Math.max(1, Math.floor(Math.max(...closed.rates.plain) / 2));
    const open = await openLoop(sides, quick, perSecond, progress);
    return [...closedFigures(closed), ...openFigures(open, perSecond)];
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

async function closedLoop(
  { services, drive, methods }: Sides,
  quick: boolean,
  progress: BenchContext['progress'],
): Promise<ClosedLoop> {
  const [ms, rounds] = quick ? [200, 1] : [2_500, 9];
  const times = { bare: [] as number[], plain: [] as number[] };
  const timed = (side: 'bare' | 'plain', service: Service) => async () => {
    const before = processorSeconds(service.pid);
    const traffic = await drive(saleLoad(service, methods, 'plain', ms));
    times[side].push(((processorSeconds(service.pid) - before) * 1e9) / (traffic.rate * ms));
    return traffic;
  };
  const [card = ''] = methods.paymentMethodIds;
  const oneCard = { ...methods, paymentMethodIds: methods.paymentMethodIds.map(() => card) };
  const driven = (load: Load) => () => drive(load);
  const variant = (name: Variant) => driven(saleLoad(services.api, methods, name, ms));
  const measured = await measureInTurn<Side>(
    rounds,
    {
      bare: timed('bare', services.bare),
      flagged: driven(saleLoad(services.flagged, methods, 'plain', ms)),
      plain: timed('plain', services.api),
      oneCard: driven(saleLoad(services.api, oneCard, 'plain', ms)),
      reference: variant('reference'),
      key: variant('key'),
      both: variant('both'),
    },
    progress,
  );
  // The first ones are of the warm-up round.
  return { ...measured, processorTimes: { bare: times.bare.slice(1), plain: times.plain.slice(1) } };
}

async function openLoop(
  { services, drive, methods, folder }: Sides,
  quick: boolean,
  perSecond: number,
  progress: BenchContext['progress'],
): Promise<Measured<Paced>> {
  const [ms, rounds] = quick ? [300, 1] : [5_000, 9];
  const at = (service: Service) => () => drive({ ...saleLoad(service, methods, 'plain', ms), perSecond });
  return measureInTurn<Paced>(
    rounds,
    {
      bare: at(services.bare),
      disk: () => trafficOf(durableWrites(join(folder, 'synced'), perSecond, ms), [0], ms),
      plain: at(services.api),
    },
    (round) => progress(`open loop, ${round}`),
  );
}

function closedFigures({ rates, traffic, processorTimes }: ClosedLoop): Figure[] {
  const toBare = (side: Compared, bare: 'bare' | 'flagged', meaning: string): Figure => {
    return { name: `${NAMES[side]} : ${NAMES[bare]}`, ...ratio(rates[side], rates[bare]), meaning };
  };
  const [, ...others] = COMPARED;
  const sides = ['bare', 'flagged', ...COMPARED] as const;
  return [
    { ...toBare('plain', 'bare', MEANING.plain), target: { kind: 'at least', value: 0.5 } },
    toBare('plain', 'flagged', 'The same, where both give Node the same flags.'),
    ...others.map((side) => toBare(side, 'bare', MEANING[side])),
    ...sides.map((side) => speedFigure(NAMES[side], rates[side], traffic[side])),
    ...(['bare', 'plain'] as const).map((side): Figure => {
      return {
        name: `${NAMES[side]}, processor time`,
        ...spread(processorTimes[side]),
        unit: 'µs',
        meaning:
          'Of all threads, for one sale. Each round does the same, so the range shows how steady the machine was.',
      };
    }),
  ];
}

const MEANING: Record<Compared, string> = {
  plain:
    'The share of the speed of HTTP that remains with two durable appends, the simulated acquirer, the vault and the log.',
  reference: VARIANTS.reference.meaning,
  key: VARIANTS.key.meaning,
  both: VARIANTS.both.meaning,
  oneCard: 'Sales with one stored card do not wait for each other.',
};

function openFigures({ rates, traffic }: Measured<Paced>, perSecond: number): Figure[] {
  const of = (side: Paced, key: 'p50' | 'p99' | 'lateP99'): number[] => traffic[side].map((one) => one[key]);
  const latencies = (['bare', 'disk', 'plain'] as const).map((side): Figure => {
    const p50 = median(of(side, 'p50')).toFixed(2);
    const late = median(of(side, 'lateP99')).toFixed(2);
    return {
      name: `${NAMES[side]}, open loop, p99`,
      ...spread(of(side, 'p99')),
      unit: 'ms',
      detail: `p50 ${p50} ms, ${Math.round(median(rates[side]))} answered a second`,
      meaning:
        side === 'disk'
          ? 'What the disk alone makes every answer wait that has to be durable: a sale waits for two such writes.'
          : `From the planned instant; the driver itself was late by ${late} ms at its p99, which is in it.`,
    };
  });
  return [
    {
      name: `p99 of token sale : bare handler, open loop at ${perSecond}/s`,
      ...ratio(of('plain', 'p99'), of('bare', 'p99')),
      meaning: 'How much longer the slowest of a hundred sales takes at half of the possible load.',
      target: { kind: 'at most', value: 4 },
    },
    ...latencies,
  ];
}
