import { createHash } from 'node:crypto';
import { pooledRandomBytes } from './random-bytes.js';

let lastMs = 0;
/** The text of `lastMs`. */
let time = '';
let sequence = 0;

/**
 * A new UUIDv7 (RFC 9562). Ids made in one process are strictly ascending, also within a millisecond and when the
 * clock is set back: a store's index grows at its end, which doubles the insert rate.
 */
export function newEventId(): string {
  const now = Date.now();
  sequence += 1;
  if (now > lastMs || sequence > 0xfff) {
    lastMs = Math.max(now, lastMs + 1);
    const hex = lastMs.toString(16).padStart(12, '0');
    time = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
    sequence = 0;
  }
  const tail = pooledRandomBytes(8).toString('hex');
  const variant = (0x8 | (parseInt(tail.charAt(0), 16) & 0x3)).toString(16);
  return `${time}${sequence.toString(16).padStart(3, '0')}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}

/** The same id (UUIDv8: SHA-256 of the name) for the same name, for events that a repeat must not write twice. */
export function deterministicEventId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  const variant = (0x8 | (parseInt(hex.charAt(16), 16) & 0x3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
