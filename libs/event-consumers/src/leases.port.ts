/**
 * Named leases for all processes on one data directory. Each object is one holder. A lease only avoids double work: a
 * paused holder does not notice that its lease ran out, so work that must not happen twice needs a compare-and-swap. Calls
 * reject if the leases can't be read or written.
 */
export interface Leases {
  /**
   * Takes or extends the lease until `leaseMs` from now. False if another holder has it, unless that lease ran out or the
   * holder's process is known to have died.
   */
  hold(name: string, leaseMs: number): Promise<boolean>;
  /** Releases the lease if this holder has it, so that another process does not wait until it runs out. */
  release(name: string): Promise<void>;
  /** Whether any holder has the lease, this one included, and is not known to have died. */
  isHeld(name: string): Promise<boolean>;
}
