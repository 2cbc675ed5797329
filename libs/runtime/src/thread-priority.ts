import { getPriority, setPriority } from 'node:os';

/** In steps of Linux's `nice`: this thread gets a tenth of the CPU share of a thread that serves clients. */
const NICE_STEPS = 10;
const NICE_MAX = 19;

/**
 * Lowers the priority of this thread and of the threads that it starts, for work that comes in bursts and for which no sale
 * may wait. Only Linux has a priority for each thread; elsewhere the call would lower that of the process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICE_STEPS, NICE_MAX));
  } catch {
    // Not permitted: the thread keeps its priority.
  }
}
