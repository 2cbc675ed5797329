import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A name for one holder of leases in this process: says on which machine it can be asked whether it lives. */
export function newHolder(): string {
  return `${process.pid} ${hostname()} ${randomUUID()}`;
}

/** Its process is known to be gone. On another machine it can't be known: there the lease has to run out. */
export function isHolderDead(holder: string): boolean {
  const [pid, host] = holder.split(' ');
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
