import type { Leases } from '@tillstream/event-consumers';

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
    private readonly leases: Leases,
    projection: string,
  ) {
    this.#name = buildLease(projection);
  }

  /** False if another builder has it. Call it at least every 15 s to keep the lease. */
  hold(): boolean {
    const now = performance.now();
    if (now < this.#renewedAt + RENEW_EVERY_MS) return true;
    if (!this.leases.hold(this.#name, LEASE_MS)) return false;
    this.#renewedAt = now;
    return true;
  }

  release(): void {
    this.leases.release(this.#name);
  }
}
