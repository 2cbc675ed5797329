import { RecentMean } from './recent.mean.js';

const DECAY_MS = 500;
/** Shorter than `DECAY_MS`, so that the limits follow a flood within some tenths of a second. */
const ACTIVE_DECAY_MS = 250;
const FORGOTTEN_AFTER_MS = 2_000;
const SWEEP_MS = 1_000;

interface Usage {
  /** Ms of the event loop, at `at`. */
  value: number;
  at: number;
  /** How many merchants have a request in flight: 0 or 1, but for the total. */
  active: number;
  readonly meanActive: RecentMean;
}

/**
 * How much of the event loop each merchant has used lately, by the costs of its requests, and whether it had a request in flight.
 * What is older counts less and less.
 */
export class MerchantUsage {
  private readonly merchants = new Map<string, Usage>();
  private readonly total: Usage;
  private sweptAt: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.sweptAt = now();
    this.total = this.unused(this.sweptAt);
  }

  /** @param cost 0: the merchant is active, and has used nothing yet */
  add(merchantId: string, cost: number): void {
    const now = this.now();
    this.forgetInactive(now);
    for (const one of [this.of(merchantId, now), this.total]) {
      one.value = decayed(one, now) + cost;
      one.at = now;
    }
  }

  /** Whether the merchant has a request in flight from now on; those that wait for a processor are not counted. */
  setActive(merchantId: string, isActive: boolean): void {
    this.count(this.of(merchantId, this.now()), isActive ? 1 : 0);
  }

  /** How many of the other merchants had a request in flight, on average. */
  activeOthers(merchantId: string): number {
    const own = this.merchants.get(merchantId)?.meanActive.read() ?? 0;
    return Math.max(0, this.total.meanActive.read() - own);
  }

  /** No other merchant has been active in the last seconds. */
  isAlone(merchantId: string): boolean {
    this.forgetInactive(this.now());
    return this.merchants.size <= (this.merchants.has(merchantId) ? 1 : 0);
  }

  /**
   * How much more than its share it has used, as a part of that share; 0: not more. The shares are equal, of as many merchants as
   * had a request in flight on average.
   */
  excess(merchantId: string): number {
    const now = this.now();
    const total = decayed(this.total, now);
    const usage = this.merchants.get(merchantId);
    if (!usage || total <= 0) return 0;
    const share = total / (1 + this.activeOthers(merchantId));
    return Math.max(0, decayed(usage, now) / share - 1);
  }

  private forgetInactive(now: number): void {
    if (now - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = now;
    for (const [merchantId, usage] of this.merchants) {
      if (now - usage.at < FORGOTTEN_AFTER_MS) continue;
      this.count(usage, 0);
      this.merchants.delete(merchantId);
    }
  }

  private count(usage: Usage, active: 0 | 1): void {
    if (usage.active === active) return;
    setActive(this.total, this.total.active + active - usage.active);
    setActive(usage, active);
  }

  private of(merchantId: string, now: number): Usage {
    const usage = this.merchants.get(merchantId) ?? this.unused(now);
    this.merchants.set(merchantId, usage);
    return usage;
  }

  private unused(now: number): Usage {
    return { value: 0, at: now, active: 0, meanActive: new RecentMean(ACTIVE_DECAY_MS, this.now) };
  }
}

function setActive(usage: Usage, active: number): void {
  usage.active = active;
  usage.meanActive.set(active);
}

function decayed({ value, at }: Pick<Usage, 'value' | 'at'>, now: number): number {
  return value * Math.exp((at - now) / DECAY_MS);
}
