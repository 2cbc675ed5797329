import { now, startPace } from './load.pace.js';
import type { Traffic } from './load.types.js';
import { percentile } from './rounds.statistics.js';

/** What answers: one sale at a time. */
export interface Seller {
  sell(): Promise<void>;
}

/** A closed loop: each sells again when it was answered, until the time is over. */
export async function backToBack(sellers: readonly Seller[], ms: number): Promise<Traffic> {
  const latencies: number[] = [];
  const since = now();
  const until = since + ms;
  await Promise.all(
    sellers.map(async (seller) => {
      for (let sentAt = now(); sentAt < until; sentAt = now()) {
        await seller.sell();
        latencies.push(now() - sentAt);
      }
    }),
  );
  return trafficOf(latencies, [0], now() - since);
}

/**
 * An open loop. The instants are fixed before the first sale; each sale is counted from its own, however late somebody
 * is free to send it, so that a server which halts is charged for all that it kept waiting (no coordinated omission).
 */
export async function paced(sellers: readonly Seller[], ms: number, perSecond: number): Promise<Traffic> {
  const count = Math.max(1, Math.floor((perSecond * ms) / 1_000));
  const latencies: number[] = [];
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
          await seller.sell();
          latencies.push(now() - due);
        }
      }),
    );
  } finally {
    await pace.stop();
  }
  return trafficOf(latencies, late, now() - pace.instant(0));
}

/** All in ms: of each sale, by how much each was sent late, and how long it all took. */
export function trafficOf(latencies: readonly number[], late: readonly number[], ms: number): Traffic {
  return {
    rate: (latencies.length * 1_000) / ms,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    lateP99: percentile(late, 0.99),
  };
}
