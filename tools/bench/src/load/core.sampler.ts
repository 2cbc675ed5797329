import { parentPort } from 'node:worker_threads';
import { now } from './pace.js';
import { SAMPLES_WANTED, type CoreSample } from './core.speed.js';

/* The thread of `core.speed.ts`. */

/** With the next number, about 1 % of a core. */
const EVERY_MS = 20;
/** About 0.2 ms. */
const STEPS = 60_000;

const samples: CoreSample[] = [];

/** Four sums that do not wait for each other, so that another thread on the same physical core slows them. */
function work(): number {
  let [a, b, c, d] = [1, 2, 3, 4];
  for (let step = 0; step < STEPS; step++) {
    a = (a + (b ^ step)) | 0;
    b = (b + (c ^ step)) | 0;
    c = (c + (d ^ step)) | 0;
    d = (d + (a ^ step)) | 0;
  }
  return a + b + c + d;
}

const timer = setInterval(() => {
  const at = now();
  work();
  samples.push({ at, ms: now() - at });
}, EVERY_MS);

parentPort?.on('message', (message: unknown) => {
  if (message !== SAMPLES_WANTED) return;
  clearInterval(timer);
  parentPort?.postMessage(samples);
  parentPort?.close();
});
