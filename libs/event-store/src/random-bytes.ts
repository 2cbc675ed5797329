import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);

/** So many bytes of chance, at most 4096, each given once: asking for many at a time costs a tenth of asking for few. */
export function pooledRandomBytes(bytes: number): Buffer {
  // A new pool and not the same one again: what was given stays as it is.
  if (pool.length < bytes) pool = randomFillSync(Buffer.alloc(POOL_BYTES));
  const given = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return given;
}
