const DECAY_MS = 500;
const FORGOTTEN_AFTER_MS = 2_000;
const SWEEP_MS = 1_000;

interface Usage {
  /** Ms of the event loop, at `at`. */
  value: number;
  at: number;
}

/** How much of the event loop each merchant has used lately, by the costs of its requests. Older use counts less and less. */
export class MerchantUsage {
  private readonly merchants = new Map<string, Usage>();
  private readonly total: Usage;
  private sweptAt: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.sweptAt = now();
    this.total = { value: 0, at: this.sweptAt };
  }

  /** @param cost 0: the merchant is active, and has used nothing yet */
  add(merchantId: string, cost: number): void {
    const now = this.now();
    this.forgetInactive(now);
    const usage = this.merchants.get(merchantId) ?? { value: 0, at: now };
    this.merchants.set(merchantId, usage);
    for (const one of [usage, this.total]) {
      one.value = decayed(one, now) + cost;
      one.at = now;
    }
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
      if (now - usage.at >= FORGOTTEN_AFTER_MS) this.merchants.delete(merchantId);
    }
  }
}

function decayed({ value, at }: Usage, now: number): number {
  return value * Math.exp((at - now) / DECAY_MS);
}
