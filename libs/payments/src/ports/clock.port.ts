/** Three readings of time, and each rule says which one it means. All in ms. */
export interface Clock {
  /** The service's clock, since 1970; in the sandbox it can be advanced. Rules ids, expiry, later steps of the resolver. */
  now(): number;
  /** Real time since 1970: deadlines, the resolver's first inquiry, leases. */
  realNow(): number;
  /** Never set back, of this process only: `performance.now()`. */
  monotonicNow(): number;
}

/** A prime: deadlines lie whole seconds after the instants that they are counted from. */
const KEPT = 61;
const instants = new Float64Array(KEPT).fill(Number.NaN);
const texts = new Array<string>(KEPT).fill('');

/** ISO 8601 in UTC, with ms. A request names the same few instants many times. */
export function iso(ms: number): string {
  const place = Math.abs(Math.trunc(ms)) % KEPT;
  if (instants[place] !== ms) {
    texts[place] = new Date(ms).toISOString();
    instants[place] = ms;
  }
  return texts[place] as string;
}
