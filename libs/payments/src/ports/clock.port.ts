/** Three clocks, in ms. Each rule names the clock that it uses. */
export interface Clock {
  /** The service's clock, since 1970. Clients can advance it in sandbox mode. Used for ids, expiry and later steps of the resolver. */
  now(): number;
  /** Real time since 1970. Used for deadlines, the resolver's first inquiry and leases. */
  realNow(): number;
  /** Never goes back. Valid in this process only: `performance.now()`. */
  monotonicNow(): number;
}

/** ISO 8601 in UTC, with ms. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
