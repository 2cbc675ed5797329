import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { now } from '../load/pace.js';

const PAGE = Buffer.alloc(4096, 1);
/** Overwritten in turn, as in a write-ahead log: no page is new to the file. */
const PAGES = 2_000;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * The least time that a durable response takes: requests come at equal intervals, and those that are there share one
 * write of 4 KB and its sync. Returns the latencies in ms from the instant of each request. Blocks the thread.
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
  const startedAt = now();
  for (let writes = 0; latencies.length < count; writes++) {
    const next = startedAt + latencies.length * every;
    while (now() < next) Atomics.wait(sleepCell, 0, 0, next - now());
    const there = Math.min(count, Math.floor((now() - startedAt) / every) + 1);
    write(writes);
    const done = now();
    while (latencies.length < there) latencies.push(done - (startedAt + latencies.length * every));
  }
  return latencies;
}
