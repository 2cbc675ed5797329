/** Three readings of time, and each rule says which one it means. All in ms. */
export interface Clock {
  /** The service's clock, since 1970; in the sandbox it can be advanced. Rules ids, expiry, later steps of the resolver. */
  now(): number;
  /** Real time since 1970: deadlines, the resolver's first inquiry, leases. */
  realNow(): number;
  /** Never set back, of this process only: `performance.now()`. */
  monotonicNow(): number;
}

let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601 in UTC, with ms. A request names one instant many times. */
export function iso(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
