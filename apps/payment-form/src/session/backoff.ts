export type Pause = (ms: number) => Promise<void>;

export const pause: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Pauses of 1, 2, 4, 8 and then always 15 seconds. */
export function pauseMs(repetition: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** repetition, LONGEST_PAUSE_MS);
}
