export interface SendingLimits {
  /** Deliveries in flight in this process. */
  readonly total: number;
  readonly perMerchant: number;
  readonly perEndpoint: number;
}

export const defaultSendingLimits: SendingLimits = { total: 256, perMerchant: 64, perEndpoint: 8 };

/** An endpoint whose last attempt took longer than this is slow. */
const SLOW_MS = 2_000;
/** A slow endpoint has one delivery in flight, until it answers quickly again. */
const PER_SLOW_ENDPOINT = 1;
/** All slow endpoints together use at most this part of the total. */
const SLOW_SHARE = 0.5;
/** More are treated as quick ones. */
const SLOW_ENDPOINTS_MAX = 5_000;
const KNOWN_ENDPOINTS_MAX = 10_000;

interface InFlight {
  readonly merchantId: string;
  count: number;
}

/** One claim: how many deliveries of these endpoints may be started. */
export interface Share {
  readonly endpointIds: readonly string[];
  readonly perEndpointMax: number;
  readonly limit: number;
}

/**
 * Counts the deliveries in flight. Slow and dead endpoints hold their places for the whole time limit of an attempt, so
 * they get few of them, and never the half that is kept for the others.
 */
export class SendingCapacity {
  readonly #endpoints = new Map<string, InFlight>();
  readonly #merchants = new Map<string, number>();
  readonly #slow = new Set<string>();
  /** Merchants by endpoint, as far as this process has claimed deliveries of them. */
  readonly #merchantOf = new Map<string, string>();
  #total = 0;

  constructor(private readonly limits: SendingLimits) {}

  get inFlight(): number {
    return this.#total;
  }

  /** Places that are free for any endpoint. */
  get free(): number {
    return this.limits.total - this.#total;
  }

  /** Endpoints that can't have another delivery in flight now. */
  full(): Set<string> {
    const full = new Set<string>();
    for (const [id, merchant] of this.#merchantOf) if (this.#merchantFree(merchant) <= 0) full.add(id);
    for (const [id, { count }] of this.#endpoints) if (count >= this.#endpointMax(id)) full.add(id);
    if (this.#slowFree <= 0) for (const id of this.#slow) full.add(id);
    return full;
  }

  /**
   * Splits due endpoints into claims that keep the limits. Together the claims may take more deliveries than there are places:
   * the sender gives the surplus back.
   */
  shares(endpointIds: readonly string[]): Share[] {
    const slow = endpointIds.filter((id) => this.#slow.has(id));
    const slowShare = this.#share(slow, PER_SLOW_ENDPOINT, Math.min(this.#slowFree, this.free, slow.length));
    const free = this.free - slowShare.limit;
    const quick = endpointIds.filter((id) => !this.#slow.has(id));
    const { perEndpoint } = this.limits;
    const crowded = [...this.#byMerchant(quick)].flatMap(([merchant, ids]) => {
      const places = merchant === undefined ? free : this.#merchantFree(merchant);
      return places < ids.length * perEndpoint ? [this.#share(ids, perEndpoint, Math.min(places, free))] : [];
    });
    const inCrowd = new Set(crowded.flatMap((share) => share.endpointIds));
    const others = this.#share(
      quick.filter((id) => !inCrowd.has(id)),
      perEndpoint,
      free,
    );
    return [others, ...crowded, slowShare].filter((share) => share.endpointIds.length > 0 && share.limit > 0);
  }

  #byMerchant(endpointIds: readonly string[]): Map<string | undefined, string[]> {
    const groups = new Map<string | undefined, string[]>();
    for (const id of endpointIds) {
      const merchant = this.#merchantOf.get(id);
      const group = groups.get(merchant);
      if (group) group.push(id);
      else groups.set(merchant, [id]);
    }
    return groups;
  }

  #share(endpointIds: readonly string[], perEndpointMax: number, limit: number): Share {
    return { endpointIds, perEndpointMax, limit };
  }

  /** Takes up to `wanted` places of an endpoint. Returns how many it got. */
  take(endpointId: string, merchantId: string, wanted: number): number {
    if (this.#merchantOf.size >= KNOWN_ENDPOINTS_MAX) this.#merchantOf.clear();
    this.#merchantOf.set(endpointId, merchantId);
    const taken = Math.min(wanted, this.#merchantFree(merchantId), this.free);
    if (taken <= 0) return 0;
    this.#merchants.set(merchantId, (this.#merchants.get(merchantId) ?? 0) + taken);
    const inFlight = this.#endpoints.get(endpointId);
    if (inFlight) inFlight.count += taken;
    else this.#endpoints.set(endpointId, { merchantId, count: taken });
    this.#total += taken;
    return taken;
  }

  /** Gives one place back after an attempt of `durationMs`. */
  giveBack(endpointId: string, durationMs: number): void {
    const inFlight = this.#endpoints.get(endpointId);
    if (inFlight === undefined) return;
    const { merchantId } = inFlight;
    inFlight.count -= 1;
    if (inFlight.count === 0) this.#endpoints.delete(endpointId);
    const ofMerchant = (this.#merchants.get(merchantId) ?? 0) - 1;
    if (ofMerchant > 0) this.#merchants.set(merchantId, ofMerchant);
    else this.#merchants.delete(merchantId);
    this.#total -= 1;
    if (durationMs < SLOW_MS) this.#slow.delete(endpointId);
    else if (this.#slow.size < SLOW_ENDPOINTS_MAX) this.#slow.add(endpointId);
  }

  #merchantFree(merchantId: string): number {
    return this.limits.perMerchant - (this.#merchants.get(merchantId) ?? 0);
  }

  get #slowFree(): number {
    let inFlight = 0;
    for (const [id, { count }] of this.#endpoints) if (this.#slow.has(id)) inFlight += count;
    return Math.floor(this.limits.total * SLOW_SHARE) - inFlight;
  }

  #endpointMax(endpointId: string): number {
    return this.#slow.has(endpointId) ? PER_SLOW_ENDPOINT : this.limits.perEndpoint;
  }
}
