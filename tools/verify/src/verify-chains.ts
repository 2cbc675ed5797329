import { ChainVerifier, type BrokenLink, type EventStore, type Position } from '@tillstream/event-store';
import { setImmediate } from 'node:timers/promises';

export interface Verification {
  readonly events: number;
  readonly streams: number;
  /** The first event, in the order of the store, that does not fit; nothing after it was looked at. */
  readonly broken?: BrokenLink;
}

/**
 * Checks every event of the store against the one before it in its stream, in the order of the store, up to what was
 * there at the last page. Holds one page and, per stream, a name, a revision and a hash (about 200 bytes) in memory.
 * A stream's last events, or a whole stream, cut off together can't be seen: nothing after them has their hash.
 */
export async function verifyChains(
  store: Pick<EventStore, 'readAll'>,
  progress: (events: number) => void = () => undefined,
): Promise<Verification> {
  const verifier = new ChainVerifier();
  let after: Position | undefined;
  for (;;) {
    const page = await store.readAll(after === undefined ? {} : { after });
    for (const event of page.events) {
      const broken = verifier.check(event);
      if (broken !== undefined) return { ...verifier.checked, broken };
    }
    progress(verifier.checked.events);
    if (page.end || page.next === undefined) return verifier.checked;
    after = page.next;
    await setImmediate();
  }
}
