import { merchantStream } from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';

/** A merchant exists, enabled or not, from its first event on. */
export async function merchantExists(
  store: Pick<EventStore, 'readStream'>,
  merchantId: string,
): Promise<boolean> {
  return (await store.readStream(merchantStream(merchantId), { limit: 1 })).events.length > 0;
}
