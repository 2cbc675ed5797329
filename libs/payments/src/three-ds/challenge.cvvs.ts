/** Above this limit the oldest CVV is forgotten: its card is then sent without one. */
const CVVS_MAX = 10_000;

interface KeptCvv {
  readonly cvv: string;
  /** Monotonic, ms. */
  readonly until: number;
}

/**
 * The CVVs of attempts whose cardholder answers a challenge. A CVV is never stored: only this process has it, and only until
 * the challenge has ended (`docs/spec/three-d-secure.md#cvv`).
 */
export class ChallengeCvvs {
  /** By the attempt's key, the oldest first. */
  private readonly kept = new Map<string, KeptCvv>();

  constructor(
    private readonly monotonicNow: () => number,
    private readonly lifetimeMs: number,
  ) {}

  keep(key: string, cvv: string | undefined): void {
    if (cvv === undefined) return;
    this.forgetOld();
    this.kept.delete(key);
    this.kept.set(key, { cvv, until: this.monotonicNow() + this.lifetimeMs });
    // Without another challenge nothing else would forget it.
    setTimeout(() => this.forgetOld(), this.lifetimeMs).unref();
  }

  /** Forgets the CVV as well. */
  take(key: string): string | undefined {
    const found = this.kept.get(key);
    this.kept.delete(key);
    return found && found.until > this.monotonicNow() ? found.cvv : undefined;
  }

  private forgetOld(): void {
    const now = this.monotonicNow();
    for (const [key, { until }] of this.kept) {
      if (until > now && this.kept.size < CVVS_MAX) return;
      this.kept.delete(key);
    }
  }
}
