import {
  ChainVerifier,
  UnreadableEvent,
  type AllPage,
  type BrokenLink,
  type EventStore,
  type ReadAll,
} from '@tillstream/event-store';
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
  let from: ReadAll = {};
  for (;;) {
    const page = await readable(store, from);
    if (page === undefined) {
      // Of a page with an event that can't be read nothing is given: what comes before it is read one by one.
      from = { ...from, limit: 1 };
      continue;
    }
    if ('problem' in page) return { ...verifier.checked, broken: page };
    for (const event of page.events) {
      const broken = verifier.check(event);
      if (broken !== undefined) return { ...verifier.checked, broken };
    }
    progress(verifier.checked.events);
    if (page.end || page.next === undefined) return verifier.checked;
    from = { ...from, after: page.next };
    await setImmediate();
  }
}

/** A page; where an event of it can't be read, nothing, or of a page of one what is wrong with it. */
async function readable(
  store: Pick<EventStore, 'readAll'>,
  from: ReadAll,
): Promise<AllPage | BrokenLink | undefined> {
  try {
    return await store.readAll(from);
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    return from.limit === 1 ? error.link : undefined;
  }
}
