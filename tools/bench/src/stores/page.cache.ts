import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readSync } from 'node:fs';

/** Reads a file into the page cache, which may have dropped what was written lately. */
export function readIntoPageCache(file: string): void {
  const chunk = Buffer.alloc(4 * 1024 * 1024);
  const descriptor = openSync(file, 'r');
  while (readSync(descriptor, chunk) > 0);
  closeSync(descriptor);
}

/** Drops a file from Linux's page cache. Returns false if that is not possible. */
export function dropFromPageCache(file: string): boolean {
  const descriptor = openSync(file, 'r+');
  // Only written pages can be dropped.
  fsyncSync(descriptor);
  closeSync(descriptor);
  const { status } = spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
  return status === 0;
}

/** Bytes of a file in the page cache; undefined if they can't be read. */
export function cachedBytes(file: string): number | undefined {
  const { status, stdout } = spawnSync('fincore', ['-b', '-n', '-o', 'RES', file], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : undefined;
}
