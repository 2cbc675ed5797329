import type { Leases } from '@tillstream/event-consumers';
import type { ControlDatabase } from './control.database.js';

/** The leases of one holder, in the control database that all processes on the directory share. */
export class SqliteLeases implements Leases {
  constructor(
    private readonly control: Pick<ControlDatabase, 'withLeases'>,
    /** From `newHolder`. */
    readonly holder: string,
  ) {}

  async hold(name: string, leaseMs: number): Promise<boolean> {
    return this.control.withLeases((leases) => leases.hold(name, this.holder, Date.now(), leaseMs));
  }

  async release(name: string): Promise<void> {
    this.control.withLeases((leases) => leases.release(name, this.holder));
  }

  async isHeld(name: string): Promise<boolean> {
    return this.control.withLeases((leases) => leases.holder(name, Date.now())) !== undefined;
  }
}
