import type { ControlDatabase } from './control.database.js';

const LEASE_MS = 30_000;
/** A builder looks between any two pages; others look at the control database anew after each write to it. */
const RENEW_EVERY_MS = LEASE_MS / 4;

/** The name of the lease of whoever makes a projection anew. */
export const buildLease = (projection: string): string => `build:${projection}`;

/** The lease of one builder, as long as it builds. */
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

  /** False if another builder has it. Call it at least every 15 s to keep the lease. */
  hold(): boolean {
    const now = performance.now();
    if (now < this.#renewedAt + RENEW_EVERY_MS) return true;
    const { control, builder } = this;
    if (!control.withLeases((leases) => leases.hold(this.#name, builder, Date.now(), LEASE_MS))) return false;
    this.#renewedAt = now;
    return true;
  }

  release(): void {
    this.control.withLeases((leases) => leases.release(this.#name, this.builder));
  }
}
