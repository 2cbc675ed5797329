import { now, startPace } from './load.pace.js';
import type { Traffic } from './load.types.js';
import { percentile } from './rounds.statistics.js';

/** Makes one sale at a time. Resolves with undefined if it was completed, else with the response. */
export interface Seller {
  sell(): Promise<string | undefined>;
}

/** Above it, the loop measures refusals instead of sales. */
const REFUSED_PERCENT_MAX = 1;

class Sales {
  private readonly latencies: number[] = [];
  private readonly refusals: string[] = [];

  add(ms: number, refusal: string | undefined): void {
    this.latencies.push(ms);
    if (refusal !== undefined) this.refusals.push(refusal);
  }

  /** @throws if too many sales were refused */
  traffic(late: readonly number[], ms: number): Traffic {
    const { latencies, refusals } = this;
    if (refusals.length * 100 > latencies.length * REFUSED_PERCENT_MAX) {
      const share = `${refusals.length} of ${latencies.length} sales were refused`;
      throw new Error(`${share}, the first with: ${refusals[0]}`);
    }
    return trafficOf(latencies, late, ms, refusals.length);
  }
}

/** A closed loop: each seller makes its next sale when the last one is answered. */
export async function backToBack(sellers: readonly Seller[], ms: number): Promise<Traffic> {
  const sales = new Sales();
  const startedAt = now();
  const until = startedAt + ms;
  await Promise.all(
    sellers.map(async (seller) => {
      for (let sentAt = now(); sentAt < until; sentAt = now()) {
        const refusal = await seller.sell();
        sales.add(now() - sentAt, refusal);
      }
    }),
  );
  return sales.traffic([0], now() - startedAt);
}

/**
 * An open loop. The instants of the sales are fixed before the first one, and a latency counts from its instant even if
 * no seller was free: a server that halts is charged for all sales that it delayed (no coordinated omission).
 */
export async function paced(sellers: readonly Seller[], ms: number, perSecond: number): Promise<Traffic> {
  const count = Math.max(1, Math.floor((perSecond * ms) / 1_000));
  const sales = new Sales();
  const late: number[] = [];
  const pace = startPace(count, 1_000 / perSecond);
  let taken = 0;
  try {
    await Promise.all(
      sellers.map(async (seller) => {
        while (taken < count) {
          const number = taken++;
          const due = pace.instant(number);
          await pace.waitFor(number);
          late.push(now() - due);
          const refusal = await seller.sell();
          sales.add(now() - due, refusal);
        }
      }),
    );
  } finally {
    await pace.stop();
  }
  return sales.traffic(late, now() - pace.instant(0));
}

/** All times in ms: latencies, delays of the sending, and the duration of the loop. */
export function trafficOf(
  latencies: readonly number[],
  late: readonly number[],
  ms: number,
  refused = 0,
): Traffic {
  return {
    rate: ((latencies.length - refused) * 1_000) / ms,
    refused,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    lateP99: percentile(late, 0.99),
  };
}
