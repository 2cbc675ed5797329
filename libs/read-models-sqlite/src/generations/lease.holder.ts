import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A unique name of a lease holder in this process. It contains the process and the machine for `isHolderDead`. */
export function newHolder(): string {
  return `${process.pid} ${hostname()} ${randomUUID()}`;
}

/** Whether the holder's process has ended. False for a process of another machine: its lease has to run out. */
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
