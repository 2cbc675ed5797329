import { randomUUID } from 'node:crypto';
import type { Leases } from '../leases.port.js';

interface Lease {
  readonly holder: string;
  /** Ms of `performance.now()`. */
  readonly until: number;
}

/** Leases of one process. */
export class MemoryLeases implements Leases {
  readonly #holder = randomUUID();

  constructor(private readonly leases = new Map<string, Lease>()) {}

  /** Another holder of the same leases: stands for a second process. */
  otherHolder(): MemoryLeases {
    return new MemoryLeases(this.leases);
  }

  async hold(name: string, leaseMs: number): Promise<boolean> {
    const now = performance.now();
    const lease = this.leases.get(name);
    if (lease !== undefined && lease.holder !== this.#holder && lease.until > now) return false;
    this.leases.set(name, { holder: this.#holder, until: now + leaseMs });
    return true;
  }

  async release(name: string): Promise<void> {
    if (this.leases.get(name)?.holder === this.#holder) this.leases.delete(name);
  }

  async isHeld(name: string): Promise<boolean> {
    return (this.leases.get(name)?.until ?? 0) > performance.now();
  }
}
