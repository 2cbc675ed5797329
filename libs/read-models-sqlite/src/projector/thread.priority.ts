import { getPriority, setPriority } from 'node:os';

/** How much nicer, of Linux' steps: a tenth of the share of a thread that customers wait for. */
const NICE_STEPS = 10;
const NICE_MAX = 19;

/**
 * From here on this thread, and those that it starts, get a core when nobody else wants it. What they do comes in bursts,
 * and no sale should wait for one. Only Linux has a priority for each thread: elsewhere it would be that of the process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICE_STEPS, NICE_MAX));
  } catch {
    // Where this is not allowed it is as important as the others.
  }
}
