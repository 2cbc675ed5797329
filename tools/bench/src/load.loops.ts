import { now, startPace } from './load.pace.js';
import type { Traffic } from './load.types.js';
import { percentile } from './rounds.statistics.js';

/** What answers: one sale at a time. Nothing, where it was completed; else what was answered instead. */
export interface Seller {
  sell(): Promise<string | undefined>;
}

/** Of a hundred sales; where more are refused, something else than sales is measured. */
const MOST_REFUSED = 1;

/** What the sales of a loop came to. */
class Sales {
  private readonly latencies: number[] = [];
  private readonly refusals: string[] = [];

  add(ms: number, refusal: string | undefined): void {
    this.latencies.push(ms);
    if (refusal !== undefined) this.refusals.push(refusal);
  }

  /** @throws where too many were refused. */
  traffic(late: readonly number[], ms: number): Traffic {
    const { latencies, refusals } = this;
    if (refusals.length * 100 > latencies.length * MOST_REFUSED) {
      const share = `${refusals.length} of ${latencies.length} sales were refused`;
      throw new Error(`${share}, the first with: ${refusals[0]}`);
    }
    return trafficOf(latencies, late, ms, refusals.length);
  }
}

/** A closed loop: each sells again when it was answered, until the time is over. */
export async function backToBack(sellers: readonly Seller[], ms: number): Promise<Traffic> {
  const sales = new Sales();
  const since = now();
  const until = since + ms;
  await Promise.all(
    sellers.map(async (seller) => {
      for (let sentAt = now(); sentAt < until; sentAt = now()) {
        const refusal = await seller.sell();
        sales.add(now() - sentAt, refusal);
      }
    }),
  );
  return sales.traffic([0], now() - since);
}

/**
 * An open loop. The instants are fixed before the first sale; each sale is counted from its own, however late somebody
 * is free to send it, so that a server which halts is charged for all that it kept waiting (no coordinated omission).
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
          await pace.reached(number);
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

/** All in ms: of each sale, by how much each was sent late, and how long it all took. */
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
