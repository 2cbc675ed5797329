import { randomUUID } from 'node:crypto';
import type { WorkLeases } from './batch-items.port.js';

/** For one process: each that shares the map is a holder of its own. */
export class MemoryLeases implements WorkLeases {
  private readonly holder = randomUUID();

  constructor(
    private readonly held = new Map<string, { readonly holder: string; readonly until: number }>(),
  ) {}

  /** Another holder of the same leases. */
  other(): MemoryLeases {
    return new MemoryLeases(this.held);
  }

  hold(name: string, leaseMs: number): boolean {
    const now = performance.now();
    const lease = this.held.get(name);
    if (lease && lease.holder !== this.holder && lease.until > now) return false;
    this.held.set(name, { holder: this.holder, until: now + leaseMs });
    return true;
  }

  release(name: string): void {
    if (this.held.get(name)?.holder === this.holder) this.held.delete(name);
  }

  isHeld(name: string): boolean {
    return (this.held.get(name)?.until ?? 0) > performance.now();
  }
}
