import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const READER = fileURLToPath(new URL('../dist/catch-up.reader.js', import.meta.url));

/** Bytes. */
export interface CatchUpMemory {
  /** Peak of resident memory up to the first count. */
  readonly first: number;
  /** Peak of resident memory up to the last count. */
  readonly last: number;
}

/** Measures a process that only catches up: its peak after `firstCount` and after `lastCount` events. */
export function catchUpMemory(url: string, firstCount: number, lastCount: number): Promise<CatchUpMemory> {
  return new Promise((resolve, reject) => {
    const child = fork(READER, [url, String(firstCount), String(lastCount)]);
    child.once('message', (memory: CatchUpMemory) => resolve(memory));
    child.once('exit', (code) => reject(new Error(`the process that catches up ended with ${code}`)));
  });
}
