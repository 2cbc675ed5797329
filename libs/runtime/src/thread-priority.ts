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
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + LOWER_PRIORITY[by], NICE_MAX));
  } catch {
    // Not permitted: the thread keeps its priority.
  }
}
