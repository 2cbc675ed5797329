import { parentPort, workerData } from 'node:worker_threads';
import { now, type Timetable } from './pace.js';

/* The thread of `pace.ts`: posts each number at its instant. */

const { startedAt, every, count } = workerData as Timetable;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

for (let number = 0; number < count; number++) {
  const due = startedAt + number * every;
  for (let left = due - now(); left > 0; left = due - now()) Atomics.wait(sleepCell, 0, 0, left);
  parentPort?.postMessage(number);
}
