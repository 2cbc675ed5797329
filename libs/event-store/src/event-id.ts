import { hash, randomUUID } from 'node:crypto';

let lastMs = 0;
let sequence = 0;

/**
 * A new UUIDv7 (RFC 9562). The ids of one process are strictly ascending, also within a millisecond and after the clock
 * was set back. So a store's index grows at its end, which doubles the insert rate.
 */
export function newEventId(): string {
  const now = Date.now();
  sequence += 1;
  if (now > lastMs || sequence > 0xfff) {
    lastMs = Math.max(now, lastMs + 1);
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  // The variant and 62 random bits stand at the same place in a UUIDv4.
  const randomTail = randomUUID().slice(18);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}${randomTail}`;
}

/** The same id for the same name (UUIDv8: SHA-256 of the name). A repeated append of such an event writes nothing twice. */
export function deterministicEventId(name: string): string {
  const hex = hash('sha256', name, 'hex');
  const variant = (0x8 | (parseInt(hex.charAt(16), 16) & 0x3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
