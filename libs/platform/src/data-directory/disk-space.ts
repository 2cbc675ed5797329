import { statfs } from 'node:fs/promises';
import { cachedLookup, errorMessage, withTimeout } from '@tillstream/runtime';

const MEASURE_INTERVAL_MS = 3_000;
/** The health check must not hang with the disk. */
const MEASURE_TIMEOUT_MS = 2_000;
const BYTES_PER_MB = 1_048_576;

export interface DiskSpace {
  /** Free bytes for this user; rejects if they can't be measured. */
  free(): Promise<number>;
  /** Why the service should take no payment now; undefined if there is enough space. */
  trouble(): Promise<string | undefined>;
}

/**
 * Measures the disk of the data directory, at most every three seconds.
 * @param minMb required free space; 0: no check
 */
export function watchDisk(dataDir: string, minMb: number): DiskSpace {
  const free = cachedLookup(MEASURE_INTERVAL_MS, async () => {
    const { bavail, bsize } = await withTimeout(
      MEASURE_TIMEOUT_MS,
      'the measurement of the disk',
      statfs(dataDir),
    );
    return bavail * bsize;
  });
  return {
    free,
    async trouble() {
      if (minMb === 0) return undefined;
      try {
        const bytes = await free();
        if (bytes >= minMb * BYTES_PER_MB) return undefined;
        return `${Math.floor(bytes / BYTES_PER_MB)} MB are free on the disk of DATA_DIR, and MIN_FREE_DISK_MB is ${minMb}`;
      } catch (error) {
        return `the free space of DATA_DIR can not be measured: ${errorMessage(error)}`;
      }
    },
  };
}
