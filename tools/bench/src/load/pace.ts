import { Worker } from 'node:worker_threads';

/** Ms of a clock that all threads share; `performance.now()` differs by thread. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Instants at equal intervals, numbered from 0. */
export interface Pace {
  /** Ms on the clock of `now`. */
  instant(number: number): number;
  /** Resolves at that instant, or at once if it is past. Call it in the order of the numbers. */
  waitFor(number: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Timetable {
  readonly startedAt: number;
  readonly every: number;
  readonly count: number;
}

const PACER = new URL('../../dist/load/pacer.js', import.meta.url);
/** Time for the thread to start. */
const HEAD_START_MS = 200;

/**
 * A thread sleeps from instant to instant: timers of the event loop have whole milliseconds, as long as what is
 * measured.
 */
export function startPace(count: number, every: number): Pace {
  const startedAt = now() + HEAD_START_MS;
  const pending = new Map<number, () => void>();
  let last = -1;
  const pacer = new Worker(PACER, { workerData: { startedAt, every, count } satisfies Timetable });
  pacer.on('message', (number: number) => {
    last = number;
    pending.get(number)?.();
    pending.delete(number);
  });
  return {
    instant: (number) => startedAt + number * every,
    waitFor: (number) =>
      number <= last ? Promise.resolve() : new Promise((resolve) => pending.set(number, resolve)),
    stop: async () => void (await pacer.terminate()),
  };
}
