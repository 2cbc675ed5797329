import type { Bench, BenchContext, Figure } from '../bench.types.js';
import {
  BARE_COMPARISON,
  startApi,
  startBare,
  startDriver,
  WITHOUT_DELIVERY,
  WITHOUT_DELIVERY_TEXT,
  type Service,
} from '../services/http.services.js';
import { ratio } from '../report/rounds.statistics.js';
import {
  measureInTurn,
  sampleResponse,
  saleLoad,
  speedFigure,
  VARIANTS,
  VARIANT_NAMES,
  type Measured,
  type Variant,
} from '../load/sale.load.js';

const CONNECTIONS = 50;
const SALE = '/v1/transactions/physical-sale';

export const httpBench: Bench = {
  name: 'http',
  title: 'Physical sales over HTTP, 50 connections',
  method:
    `The API runs in sandbox mode in a process of its own, on a new data directory; every connection keeps alive and ` +
    `sells on a terminal of its own, the next sale when the last one was answered as completed. The bare handler is a ` +
    `NestJS application on platform-express in a process of its own, the load driver a third process on the same machine. ` +
    `${WITHOUT_DELIVERY_TEXT}`,
  comparison: BARE_COMPARISON,
  run,
};

/** `unlisted`: a service without lists. */
type Side = Variant | 'bare' | 'unlisted';

async function run({ folder, quick, progress, profileFolder }: BenchContext): Promise<Figure[]> {
  const [ms, rounds] = quick ? [200, 1] : [2_500, 9];
  const api = await startApi(folder, CONNECTIONS, { profileFolder, settings: WITHOUT_DELIVERY });
  const running: { stop(): Promise<void> }[] = [api];
  try {
    if (api.terminals.length < CONNECTIONS)
      throw new Error('a terminal serves one sale at a time: there are too few');
    const response = await sampleResponse(api, SALE, { paymentMethodId: api.terminals[0] });
    const bare = await startBare(folder, api.apiKey, { response });
    running.push(bare);
    const settings = { ...WITHOUT_DELIVERY, SANDBOX_LISTS: 'off' };
    const unlisted = await startApi(folder, CONNECTIONS, { name: 'unlisted', settings });
    running.push(unlisted);
    const driver = startDriver();
    running.push(driver);
    const side = (service: Service, variant: Variant, seller = api) => {
      const methods = { path: SALE, apiKey: seller.apiKey, paymentMethodIds: seller.terminals };
      return () => driver.drive(saleLoad(service, methods, variant, ms));
    };
    const measured = await measureInTurn<Side>(
      rounds,
      {
        bare: side(bare, 'plain'),
        plain: side(api, 'plain'),
        unlisted: side(unlisted, 'plain', unlisted),
        reference: side(api, 'reference'),
        key: side(api, 'key'),
        both: side(api, 'both'),
      },
      progress,
    );
    return figures(measured);
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

function figures({ rates, traffic }: Measured<Side>): Figure[] {
  return [
    ...VARIANT_NAMES.map((variant) => ({
      name: `${VARIANTS[variant].label} : bare handler`,
      ...ratio(rates[variant], rates.bare),
      meaning: VARIANTS[variant].meaning,
      ...(variant === 'plain' && { target: { kind: 'at least' as const, value: 0.5 } }),
    })),
    {
      name: 'sale : sale without lists',
      ...ratio(rates.plain, rates.unlisted),
      target: { kind: 'at least', value: 0.85 },
      meaning: 'The share of the speed of sales that remains when each is in all lists before its response.',
    },
    speedFigure('bare handler', rates.bare, traffic.bare),
    ...VARIANT_NAMES.map((name) => speedFigure(VARIANTS[name].label, rates[name], traffic[name])),
    speedFigure('sale without lists', rates.unlisted, traffic.unlisted),
  ];
}
