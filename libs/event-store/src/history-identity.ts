import { hash } from 'node:crypto';
import type { EventHeader, EventStore } from './event-store.js';
import { findUnreadableEvent } from './hash-chain.js';

/** Distinguishes histories: 12 hex digits of the hash of the first event's stream name. Undefined if the store is empty. */
export async function historyFingerprint(store: Pick<EventStore, 'readAll'>): Promise<string | undefined> {
  const [first] = (await store.readAll({ limit: 1 })).events;
  return first && hash('sha256', first.stream).slice(0, 12);
}

/** The last event that a reader has read, stored beside its checkpoint. At its next start it calls `holdsWitness`. */
export type HistoryWitness = Pick<EventHeader, 'stream' | 'revision' | 'position'>;

export function historyWitness({ stream, revision, position }: HistoryWitness): HistoryWitness {
  return { stream, revision, position };
}

/** False after an operator restored an older copy of the store: a store itself never changes or deletes an event. */
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
