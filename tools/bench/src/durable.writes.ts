import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { now } from './load.pace.js';

const PAGE = Buffer.alloc(4096, 1);
/** Overwritten in turn, as a write-ahead log is: no page of it is new to the file. */
const PAGES = 2_000;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

/**
 * The least that an answer has to wait for which must be durable: so many a second come at equal distances, those that
 * are there share one write of 4 KB and its sync. Gives their latencies in ms, each from its instant. Blocks the thread.
 */
export function durableWrites(file: string, perSecond: number, ms: number): number[] {
  const descriptor = openSync(file, 'w');
  try {
    for (let page = 0; page < PAGES; page++) writeSync(descriptor, PAGE);
    fsyncSync(descriptor);
    return paced(perSecond, ms, (write) => {
      writeSync(descriptor, PAGE, 0, PAGE.length, (write % PAGES) * PAGE.length);
      fdatasyncSync(descriptor);
    });
  } finally {
    closeSync(descriptor);
  }
}

function paced(perSecond: number, ms: number, write: (number: number) => void): number[] {
  const every = 1000 / perSecond;
  const count = Math.floor(ms / every);
  const latencies: number[] = [];
  const since = now();
  for (let writes = 0; latencies.length < count; writes++) {
    const next = since + latencies.length * every;
    while (now() < next) Atomics.wait(nobodyWakes, 0, 0, next - now());
    const there = Math.min(count, Math.floor((now() - since) / every) + 1);
    write(writes);
    const done = now();
    while (latencies.length < there) latencies.push(done - (since + latencies.length * every));
  }
  return latencies;
}
