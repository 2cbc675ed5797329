import { hash } from 'node:crypto';
import type { EventHeader, EventStore } from './event-store.js';
import { findUnreadableEvent } from './unreadable-event.js';

const FINGERPRINT_DIGITS = 12;

/**
 * Distinguishes two histories by their first event alone: 12 hex digits of the hash of its stream name, which is unique.
 * Undefined if the store is empty. Rejects as `readAll` does.
 */
export async function historyFingerprint(store: Pick<EventStore, 'readAll'>): Promise<string | undefined> {
  const [first] = (await store.readAll({ limit: 1 })).events;
  return first && hash('sha256', first.stream).slice(0, FINGERPRINT_DIGITS);
}

/**
 * The last event that a reader has read, stored beside its checkpoint. After a start the reader looks it up, to find out
 * whether the store still has the same history.
 */
export type HistoryWitness = Pick<EventHeader, 'stream' | 'revision' | 'position'>;

export function historyWitness({ stream, revision, position }: HistoryWitness): HistoryWitness {
  return { stream, revision, position };
}

/**
 * The store never changes or deletes an event. If the witness is missing or has another position, an operator restored an
 * older copy of the store. Rejects as `readStream` does.
 */
export async function holdsWitness(
  store: Pick<EventStore, 'readStream'>,
  { stream, revision, position }: HistoryWitness,
): Promise<boolean> {
  try {
    const [event] = (await store.readStream(stream, { from: revision, limit: 1 })).events;
    return event?.revision === revision && event.position === position;
  } catch (error) {
    // The event is damaged but present, so the history before it is the same.
    if (findUnreadableEvent(error)) return true;
    throw error;
  }
}
