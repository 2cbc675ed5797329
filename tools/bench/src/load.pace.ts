import { Worker } from 'node:worker_threads';

/** Ms of a clock that all threads share, which `performance.now()` is not. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Instants at equal distances, numbered from 0. */
export interface Pace {
  /** Ms, as `now` has them. */
  instant(number: number): number;
  /** Resolves at that instant; at once where it is past. Asked for in the order of the numbers. */
  reached(number: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Timetable {
  readonly since: number;
  readonly every: number;
  readonly count: number;
}

const PACER = new URL('../dist/load.pacer.js', import.meta.url);
/** For the thread to start. */
const HEAD_START_MS = 200;

/**
 * A thread sleeps from one instant to the next. Timers of an event loop go by whole milliseconds, which is as long as
 * what is measured.
 */
export function startPace(count: number, every: number): Pace {
  const since = now() + HEAD_START_MS;
  const waiting = new Map<number, () => void>();
  let last = -1;
  const pacer = new Worker(PACER, { workerData: { since, every, count } satisfies Timetable });
  pacer.on('message', (number: number) => {
    last = number;
    waiting.get(number)?.();
    waiting.delete(number);
  });
  return {
    instant: (number) => since + number * every,
    reached: (number) =>
      number <= last ? Promise.resolve() : new Promise((resolve) => waiting.set(number, resolve)),
    stop: async () => void (await pacer.terminate()),
  };
}
