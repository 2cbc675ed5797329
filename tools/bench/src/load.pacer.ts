import { parentPort, workerData } from 'node:worker_threads';
import { now, type Timetable } from './load.pace.js';

/* The thread of `load.pace.ts`: says each number when its instant has come. */

const { since, every, count } = workerData as Timetable;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

for (let number = 0; number < count; number++) {
  const due = since + number * every;
  for (let left = due - now(); left > 0; left = due - now()) Atomics.wait(nobodyWakes, 0, 0, left);
  parentPort?.postMessage(number);
}
