import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const READER = fileURLToPath(new URL('../dist/catch-up.reader.js', import.meta.url));

/** Bytes. */
export interface CatchUpMemory {
  /** The most that was resident up to the first count. */
  readonly first: number;
  /** The most that was resident up to the last. */
  readonly last: number;
}

/** In a process of its own, which does nothing but catch up: its peak after so many events, and after all. */
export function catchUpMemory(url: string, firstCount: number, lastCount: number): Promise<CatchUpMemory> {
  return new Promise((resolve, reject) => {
    const child = fork(READER, [url, String(firstCount), String(lastCount)]);
    child.once('message', (memory: CatchUpMemory) => resolve(memory));
    child.once('exit', (code) => reject(new Error(`the process that catches up ended with ${code}`)));
  });
}
