import type { ControlDatabase } from './control.database.js';

const LEASE_MS = 30_000;
const RENEW_INTERVAL_MS = LEASE_MS / 4;

/** The name of the lease of the process that rebuilds a projection. */
export const buildLease = (projection: string): string => `build:${projection}`;

/** The lease of one builder, held while it builds. */
export class BuildLease {
  readonly #name: string;
  #renewedAt = -Infinity;

  constructor(
    private readonly control: Pick<ControlDatabase, 'withLeases'>,
    /** From `newHolder`. */
    private readonly builder: string,
    projection: string,
  ) {
    this.#name = buildLease(projection);
  }

  /**
   * False if another builder has the lease. Call it at least every 15 s to keep the lease. Most calls do not touch the
   * control database: a builder calls it between any two pages, and each write makes other processes read it again.
   */
  hold(): boolean {
    const now = performance.now();
    if (now < this.#renewedAt + RENEW_INTERVAL_MS) return true;
    const { control, builder } = this;
    if (!control.withLeases((leases) => leases.hold(this.#name, builder, Date.now(), LEASE_MS))) return false;
    this.#renewedAt = now;
    return true;
  }

  release(): void {
    this.control.withLeases((leases) => leases.release(this.#name, this.builder));
  }
}
