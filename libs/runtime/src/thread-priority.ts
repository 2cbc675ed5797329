import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The lowest priority of Linux. */
const NICE_MAX = 19;

/** In steps of Linux's `nice`. While all processors are busy, a thread gets this part of the time of one that serves clients. */
export const LOWER_PRIORITY = { Tenth: 10, Seventieth: NICE_MAX } as const;

/**
 * Lowers the priority of this thread and of the threads that it starts, for work that comes in bursts and for which no sale
 * may wait. Only Linux has a priority for each thread; elsewhere the call would lower that of the process.
 */
export function lowerThreadPriority(by: keyof typeof LOWER_PRIORITY): void {
  lowerPriority(by, [THIS_THREAD]);
}

/** The same for all threads of this process: those in which V8 collects garbage and compiles have started before any module. */
export function lowerProcessPriority(by: keyof typeof LOWER_PRIORITY): void {
  if (process.platform !== 'linux') return;
  lowerPriority(by, readdirSync('/proc/self/task').map(Number));
}

const THIS_THREAD = 0;

function lowerPriority(by: keyof typeof LOWER_PRIORITY, threads: readonly number[]): void {
  if (process.platform !== 'linux') return;
  for (const thread of threads)
    try {
      setPriority(thread, Math.min(getPriority(thread) + LOWER_PRIORITY[by], NICE_MAX));
    } catch {
      // Not permitted, or the thread has ended: it keeps its priority.
    }
}
