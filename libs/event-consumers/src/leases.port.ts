/**
 * Names that one holder at a time has, for all processes on one data directory. A lease only saves double work: a holder
 * that was paused does not know that its lease ran out, so what must not happen twice is fenced by a compare-and-swap.
 * Each object is one holder. Calls reject when the place of the leases can't be read or written.
 */
export interface Leases {
  /**
   * True while this holder has the lease. Takes it if it is free, ran out, or belongs to a process that is known to have
   * died, and extends it by `leaseMs` from now.
   */
  hold(name: string, leaseMs: number): Promise<boolean>;
  /** Frees the lease if this holder has it, so that another process does not wait until it runs out. */
  release(name: string): Promise<void>;
  /** Whether any holder has it, this one included, that is not known to have died. */
  isHeld(name: string): Promise<boolean>;
}
