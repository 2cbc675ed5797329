import { statfs } from 'node:fs/promises';
import { cachedLookup, withTimeout } from '../observability/cached.lookup.js';

const MEASURE_INTERVAL_MS = 3_000;
/** A disk that hangs must not make whoever asks hang with it. */
const MEASURE_TIMEOUT_MS = 2_000;
const BYTES_PER_MB = 1_048_576;

export interface DiskSpace {
  /** Bytes that this user may still write in the data directory; rejects where it can't be told. */
  free(): Promise<number>;
  /** Why no payment should be taken now; undefined where there is room. */
  trouble(): Promise<string | undefined>;
}

/** Looks at the disk of the data directory, at most every three seconds. `leastMb` 0: any room will do. */
export function watchDisk(dataDir: string, leastMb: number): DiskSpace {
  const free = cachedLookup(MEASURE_INTERVAL_MS, async () => {
    const { bavail, bsize } = await withTimeout(MEASURE_TIMEOUT_MS, 'a look at the disk', statfs(dataDir));
    return bavail * bsize;
  });
  return {
    free,
    async trouble() {
      if (leastMb === 0) return undefined;
      try {
        const bytes = await free();
        if (bytes >= leastMb * BYTES_PER_MB) return undefined;
        return `${Math.floor(bytes / BYTES_PER_MB)} MB are free on the disk of DATA_DIR, and MIN_FREE_DISK_MB is ${leastMb}`;
      } catch (error) {
        return `the free space of DATA_DIR can not be told: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
  };
}
