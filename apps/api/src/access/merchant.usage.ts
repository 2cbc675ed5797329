import { RecentMean } from './recent.mean.js';

const DECAY_MS = 500;
const FORGOTTEN_AFTER_MS = 2_000;
const SWEEP_MS = 1_000;

interface Usage {
  /** Ms of the event loop, at `at`. */
  value: number;
  at: number;
  inFlight: number;
  readonly meanInFlight: RecentMean;
}

/**
 * How much of the event loop each merchant has used lately, by the costs of its requests, and how many requests it had at once.
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

  /** The merchant has so many requests at once from now on; those that wait for a processor are not counted. */
  setInFlight(merchantId: string, inFlight: number): void {
    const usage = this.of(merchantId, this.now());
    setInFlight(this.total, this.total.inFlight + inFlight - usage.inFlight);
    setInFlight(usage, inFlight);
  }

  /** How many requests all other merchants had at once in the mean. */
  othersInFlight(merchantId: string): number {
    const own = this.merchants.get(merchantId)?.meanInFlight.read() ?? 0;
    return Math.max(0, this.total.meanInFlight.read() - own);
  }

  /** No other merchant has been active in the last seconds. */
  isAlone(merchantId: string): boolean {
    this.forgetInactive(this.now());
    return this.merchants.size <= (this.merchants.has(merchantId) ? 1 : 0);
  }

  /** The merchant has used more than the mean of all active merchants. */
  isAboveShare(merchantId: string): boolean {
    const usage = this.merchants.get(merchantId);
    const now = this.now();
    return usage !== undefined && decayed(usage, now) * this.merchants.size > decayed(this.total, now);
  }

  private forgetInactive(now: number): void {
    if (now - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = now;
    for (const [merchantId, usage] of this.merchants) {
      if (now - usage.at < FORGOTTEN_AFTER_MS) continue;
      setInFlight(this.total, this.total.inFlight - usage.inFlight);
      this.merchants.delete(merchantId);
    }
  }

  private of(merchantId: string, now: number): Usage {
    const usage = this.merchants.get(merchantId) ?? this.unused(now);
    this.merchants.set(merchantId, usage);
    return usage;
  }

  private unused(now: number): Usage {
    return { value: 0, at: now, inFlight: 0, meanInFlight: new RecentMean(DECAY_MS, this.now) };
  }
}

function setInFlight(usage: Usage, inFlight: number): void {
  usage.inFlight = inFlight;
  usage.meanInFlight.set(inFlight);
}

function decayed({ value, at }: Pick<Usage, 'value' | 'at'>, now: number): number {
  return value * Math.exp((at - now) / DECAY_MS);
}
