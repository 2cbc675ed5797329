import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

/** So many bytes of chance, at most 4096, each given once: asking for many at a time costs a tenth of asking for few. */
export function chance(bytes: number): Uint8Array {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const given = Uint8Array.prototype.slice.call(pool, used, used + bytes);
  used += bytes;
  return given;
}
