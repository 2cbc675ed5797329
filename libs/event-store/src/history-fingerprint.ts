import { hash } from 'node:crypto';
import type { EventStore } from './event-store.js';

const FINGERPRINT_DIGITS = 12;

/**
 * What a history can be told apart by without reading more of it than its first event: 12 hex digits, of that event's
 * stream, which is named once. Undefined where nothing is written yet. Rejects as `readAll` does.
 */
export async function historyFingerprint(store: Pick<EventStore, 'readAll'>): Promise<string | undefined> {
  const [first] = (await store.readAll({ limit: 1 })).events;
  return first && hash('sha256', first.stream).slice(0, FINGERPRINT_DIGITS);
}
