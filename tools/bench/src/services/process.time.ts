import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of `/proc` in a second, on Linux. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process and of all below it, those that have ended included, seconds. Linux only. */
export function processorSeconds(pid: number): number {
  const processes = new Map(allProcesses().map((one) => [one.pid, one]));
  let ticks = 0;
  for (const one of processes.values()) {
    if (isBelow(processes, one, pid)) ticks += one.ticks;
  }
  return ticks / TICKS_PER_SECOND;
}

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function isBelow(processes: ReadonlyMap<number, ProcessTime>, one: ProcessTime, root: number): boolean {
  let at: ProcessTime | undefined = one;
  while (at) {
    if (at.pid === root) return true;
    at = processes.get(at.parent);
  }
  return false;
}

function allProcesses(): ProcessTime[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (timeOf(Number(name)) ?? []) : []));
}

/** Undefined if the process has ended. */
function timeOf(pid: number): ProcessTime | undefined {
  try {
    // The name of the command, in parentheses, may hold spaces. The third field comes after it.
    const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index],
    );
    return { pid, parent, ticks: user + system + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
