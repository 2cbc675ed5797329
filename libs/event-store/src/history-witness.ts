import type { EventHeader, EventStore } from './event-store.js';
import { UnreadableEvent } from './unreadable-event.js';

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
    if (error instanceof UnreadableEvent) return true;
    throw error;
  }
}
