/** What a merchant may still send after a request, for the headers. */
interface Allowance {
  readonly allowed: boolean;
  /** Size of the bucket. */
  readonly limit: number;
  readonly remaining: number;
  /** Real time, ms: when the bucket is full again. */
  readonly fullAt: number;
  /** Until a token is there, ms; 0 where one was. */
  readonly retryAfter: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_BUCKETS = 10_000;

/**
 * Token buckets of this instance, one per merchant, refilled steadily by real time
 * (`docs/spec/authentication.md#rate-limit`). rate-limiter-flexible counts in fixed windows, which allow no request between
 * the burst and the end of the window.
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A `cost` of 0 takes nothing. */
  take(merchantId: string, perSecond: number, burst: number, cost: 0 | 1 = 1): Allowance {
    const now = this.now();
    const bucket = this.bucket(merchantId, burst, now);
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    const allowed = bucket.tokens >= cost;
    if (allowed) bucket.tokens -= cost;
    return {
      allowed,
      limit: burst,
      remaining: Math.floor(bucket.tokens),
      fullAt: Date.now() + ((burst - bucket.tokens) * 1000) / perSecond,
      retryAfter: allowed ? 0 : ((1 - bucket.tokens) * 1000) / perSecond,
    };
  }

  private bucket(merchantId: string, burst: number, now: number): Bucket {
    const known = this.buckets.get(merchantId);
    if (known) {
      // Moved to the end: the bucket that was used longest ago is removed first.
      this.buckets.delete(merchantId);
      this.buckets.set(merchantId, known);
      return known;
    }
    // A merchant whose bucket was removed starts with a full one: it has more than its rate for a moment, never less.
    if (this.buckets.size >= MAX_BUCKETS) this.buckets.delete(this.buckets.keys().next().value ?? '');
    const bucket = { tokens: burst, at: now };
    this.buckets.set(merchantId, bucket);
    return bucket;
  }
}
