import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readSync } from 'node:fs';

/** Reads a file once: what was written lately may have left the memory again before anybody reads it. */
export function readIntoPageCache(file: string): void {
  const chunk = Buffer.alloc(4 * 1024 * 1024);
  const descriptor = openSync(file, 'r');
  while (readSync(descriptor, chunk) > 0);
  closeSync(descriptor);
}

/** Asks Linux to forget what it keeps of a file in memory. False where that can't be asked for. */
export function dropFromPageCache(file: string): boolean {
  const descriptor = openSync(file, 'r+');
  // Only what is on the disk can be forgotten.
  fsyncSync(descriptor);
  closeSync(descriptor);
  const { status } = spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
  return status === 0;
}

/** Bytes of a file that lie in the operating system's memory; undefined where nobody tells. */
export function cachedBytes(file: string): number | undefined {
  const { status, stdout } = spawnSync('fincore', ['-b', '-n', '-o', 'RES', file], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : undefined;
}
