import { hash } from 'node:crypto';
import type { EventStore } from './event-store.js';

const FINGERPRINT_DIGITS = 12;

/**
 * Distinguishes two histories by their first event alone: 12 hex digits of the hash of its stream name, which is unique.
 * Undefined if the store is empty. Rejects as `readAll` does.
 */
export async function historyFingerprint(store: Pick<EventStore, 'readAll'>): Promise<string | undefined> {
  const [first] = (await store.readAll({ limit: 1 })).events;
  return first && hash('sha256', first.stream).slice(0, FINGERPRINT_DIGITS);
}
