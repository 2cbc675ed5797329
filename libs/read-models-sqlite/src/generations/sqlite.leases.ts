import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Leases } from '@tillstream/event-consumers';
import type { ControlConnection } from './control.connection.js';

/** The leases of one holder, in the control database that all processes on the directory share. */
export class SqliteLeases implements Leases {
  constructor(
    private readonly control: ControlConnection,
    /** From `newHolder`. */
    readonly holder = newHolder(),
  ) {}

  async hold(name: string, leaseMs: number): Promise<boolean> {
    return this.holdNow(name, leaseMs);
  }

  /** As `hold`, blocking. */
  holdNow(name: string, leaseMs: number): boolean {
    const { control, holder } = this;
    const isTaken = (): boolean => ![undefined, holder].includes(leaseHolder(control, name));
    if (isTaken()) return false;
    return control.inTransaction(() => {
      if (isTaken()) return false;
      const lease = { holder, until: Date.now() + leaseMs };
      const insert = control.build.insertInto('leases').values({ name, ...lease });
      control.run(insert.onConflict((conflict) => conflict.column('name').doUpdateSet(lease)));
      return true;
    });
  }

  async release(name: string): Promise<void> {
    const { build } = this.control;
    this.control.run(build.deleteFrom('leases').where('name', '=', name).where('holder', '=', this.holder));
  }

  async isHeld(name: string): Promise<boolean> {
    return leaseHolder(this.control, name) !== undefined;
  }
}

/** The holder of a lease that has not run out and whose process is not known to be dead. */
export function leaseHolder(control: ControlConnection, name: string): string | undefined {
  const query = control.build.selectFrom('leases').select(['holder', 'until']).where('name', '=', name);
  const [lease] = control.all<{ readonly holder: string; readonly until: number }>(query);
  return lease && lease.until > Date.now() && !isHolderDead(lease.holder) ? lease.holder : undefined;
}

/** A unique name of a lease holder in this process. It contains the process and the machine for `isHolderDead`. */
export function newHolder(): string {
  return `${process.pid} ${hostname()} ${randomUUID()}`;
}

/** Whether the holder's process has ended. False for a process of another machine: its lease has to run out. */
function isHolderDead(holder: string): boolean {
  const [pid, host] = holder.split(' ');
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
