import type { EventHeader, EventStore } from './event-store.js';
import { UnreadableEvent } from './unreadable-event.js';

/**
 * The last event that somebody has read, kept beside the checkpoint: by it a reader tells after a start whether the
 * store still has the history that the reader knows.
 */
export type HistoryWitness = Pick<EventHeader, 'stream' | 'revision' | 'position'>;

export function historyWitness({ stream, revision, position }: HistoryWitness): HistoryWitness {
  return { stream, revision, position };
}

/**
 * Events are never changed or deleted, so one that is gone, or lies elsewhere, was in another history: an older copy of
 * the store was restored. Rejects as `readStream` does.
 */
export async function holdsWitness(
  store: Pick<EventStore, 'readStream'>,
  { stream, revision, position }: HistoryWitness,
): Promise<boolean> {
  try {
    const [event] = (await store.readStream(stream, { from: revision, limit: 1 })).events;
    return event?.revision === revision && event.position === position;
  } catch (error) {
    // Damaged, but there: it says nothing against the history before it.
    if (error instanceof UnreadableEvent) return true;
    throw error;
  }
}
