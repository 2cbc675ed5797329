import { now, startPace } from './pace.js';
import { SLICE_MS, type Traffic } from './load.types.js';
import { percentile } from '../report/rounds.statistics.js';

/** Makes one sale at a time. Resolves with undefined if it was completed, else with the response. */
export interface Seller {
  sell(): Promise<string | undefined>;
}

/** Above it, the loop measures refusals instead of sales. */
const REFUSED_PERCENT_MAX = 1;

/** Bounds a loop besides its time. */
export interface LoopControl {
  /** Set by another part of the process: the loop makes no further sale. */
  isHalted: boolean;
  /** Sales that the loop may still make. */
  salesLeft: number;
}

const noControl = (): LoopControl => ({ isHalted: false, salesLeft: Number.POSITIVE_INFINITY });
const mayGoOn = (control: LoopControl): boolean => !control.isHalted && control.salesLeft-- > 0;

class Sales {
  private readonly latencies: number[] = [];
  private readonly refusals: string[] = [];
  private readonly counts: number[] = [];

  constructor(private readonly startedAt: number) {}

  /** A sale that was answered now. */
  add(ms: number, refusal: string | undefined): void {
    this.latencies.push(ms);
    if (refusal !== undefined) return void this.refusals.push(refusal);
    const slice = Math.max(0, Math.floor((now() - this.startedAt) / SLICE_MS));
    while (this.counts.length <= slice) this.counts.push(0);
    this.counts[slice] = (this.counts[slice] ?? 0) + 1;
  }

  /** @throws if too many sales were refused */
  traffic(late: readonly number[], ms: number): Traffic {
    const { latencies, refusals } = this;
    if (refusals.length * 100 > latencies.length * REFUSED_PERCENT_MAX) {
      const share = `${refusals.length} of ${latencies.length} sales were refused`;
      throw new Error(`${share}, the first with: ${refusals[0]}`);
    }
    const timeline = { startedAt: this.startedAt, counts: this.counts };
    return { ...trafficOf(latencies, late, ms, refusals.length), timeline };
  }
}

/** A closed loop: each seller makes its next sale when the last one is answered. */
export async function backToBack(
  sellers: readonly Seller[],
  ms: number,
  control = noControl(),
): Promise<Traffic> {
  const startedAt = now();
  const sales = new Sales(startedAt);
  const until = startedAt + ms;
  await Promise.all(
    sellers.map(async (seller) => {
      for (let sentAt = now(); sentAt < until && mayGoOn(control); sentAt = now()) {
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
export async function paced(
  sellers: readonly Seller[],
  ms: number,
  perSecond: number,
  control = noControl(),
): Promise<Traffic> {
  const count = Math.max(1, Math.floor((perSecond * ms) / 1_000));
  const late: number[] = [];
  const pace = startPace(count, 1_000 / perSecond);
  const sales = new Sales(pace.instant(0));
  let taken = 0;
  try {
    await Promise.all(
      sellers.map(async (seller) => {
        while (taken < count && mayGoOn(control)) {
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
