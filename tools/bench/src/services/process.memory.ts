import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process, bytes. Linux only. @throws if there is no such process */
export function residentBytes(pid: number): number {
  const kilobytes = fieldOf(pid, 'VmRSS');
  if (kilobytes === undefined) throw new Error(`process ${pid} has ended, or this system has no /proc`);
  return kilobytes * 1024;
}

/** Finds the child of a process by a part of its command line. */
export function childOf(parent: number, command: string): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => fieldOf(pid, 'PPid') === parent && commandOf(pid).includes(command));
}

/** Undefined if the process has ended. */
function fieldOf(pid: number, field: string): number | undefined {
  try {
    const found = new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found?.[1] === undefined ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
