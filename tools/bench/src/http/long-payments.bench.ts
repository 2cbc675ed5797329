import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { startApi, USUAL_SETTINGS, type ApiService } from '../services/http.services.js';
import { interleaved, median, ratio } from '../report/rounds.statistics.js';
import { postJson, storedCards } from '../load/sale.load.js';

/** Of the 960 that a payment may have. */
const OPERATIONS = 900;
const REFUNDS_EACH_ROUND = 8;
const SALE = '/v1/transactions/token-sale';
const REFUND = '/v1/transactions/refund';

export const longPaymentsBench: Bench = {
  name: 'long-payments',
  title: 'Payments with many operations',
  method:
    'Refunds of one cent, one after the other, over HTTP: of one sale that has 900 operations already, and of sales that ' +
    'were made just before, which have none. The service runs as npm start has it.',
  run,
};

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const api = await startApi(folder, 0, { name: 'long-payments', settings: USUAL_SETTINGS });
  try {
    const [card = ''] = await storedCards(api, 1);
    const long = await sale(api, card);
    const operations = quick ? 30 : OPERATIONS;
    for (let done = 0; done < operations; done++) {
      await refund(api, long);
      if (done % 100 === 0) progress(`operations, ${done} of ${operations}`);
    }
    const sides = {
      long: () => refunded(api, Array<string>(REFUNDS_EACH_ROUND).fill(long)),
      fresh: async () => {
        const sales: string[] = [];
        for (let made = 0; made < REFUNDS_EACH_ROUND; made++) sales.push(await sale(api, card));
        return refunded(api, sales);
      },
    };
    const ms = await interleaved(quick ? 1 : 5, sides, (round) => progress(`refunds, ${round}`));
    return [
      {
        ...{ name: 'refund of a payment with 900 operations : of a new one', ...ratio(ms.long, ms.fresh) },
        detail: `${median(ms.long).toFixed(1)} ms and ${median(ms.fresh).toFixed(1)} ms`,
        meaning: 'The cost of an operation does not grow with the number of earlier ones.',
        target: { kind: 'at most', value: 3 },
      },
    ];
  } finally {
    await api.stop();
  }
}

async function sale(api: ApiService, paymentMethodId: string): Promise<string> {
  return (await postJson<{ readonly id: string }>(api, SALE, { paymentMethodId, amount: 100_000 })).id;
}

async function refund(api: ApiService, originalTransactionId: string): Promise<void> {
  await postJson(api, REFUND, { originalTransactionId, amount: 1 });
}

/** Ms of one refund. */
async function refunded(api: ApiService, sales: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (const one of sales) await refund(api, one);
  return (performance.now() - startedAt) / sales.length;
}
