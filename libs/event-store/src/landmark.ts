import type { EventHead, EventStore } from './event-store.js';
import { UnreadableEvent } from './unreadable.event.js';

/**
 * The last event that somebody has read, kept beside the checkpoint: by it a reader tells after a start whether the
 * store still has the history that the reader knows.
 */
export type Landmark = Pick<EventHead, 'stream' | 'revision' | 'position'>;

export function landmarkOf({ stream, revision, position }: Landmark): Landmark {
  return { stream, revision, position };
}

/**
 * Events are never changed or deleted, so one that is gone, or lies elsewhere, was in another history: an older copy of
 * the store was restored. Rejects as `readStream` does.
 */
export async function isStillThere(
  store: Pick<EventStore, 'readStream'>,
  { stream, revision, position }: Landmark,
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
