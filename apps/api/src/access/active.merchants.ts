const FORGOTTEN_AFTER_MS = 1_000;

/** The merchants that sent a request in the last one to two seconds. */
export class ActiveMerchants {
  private recent = new Set<string>();
  private earlier = new Set<string>();
  private renewedAt: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.renewedAt = now();
  }

  add(merchantId: string): void {
    this.renew();
    this.recent.add(merchantId);
  }

  hasOther(merchantId: string): boolean {
    this.renew();
    return isAnotherIn(this.recent, merchantId) || isAnotherIn(this.earlier, merchantId);
  }

  private renew(): void {
    const age = this.now() - this.renewedAt;
    if (age < FORGOTTEN_AFTER_MS) return;
    this.earlier = age < 2 * FORGOTTEN_AFTER_MS ? this.recent : new Set();
    this.recent = new Set();
    this.renewedAt = this.now();
  }
}

function isAnotherIn(merchants: ReadonlySet<string>, merchantId: string): boolean {
  return merchants.size > (merchants.has(merchantId) ? 1 : 0);
}
