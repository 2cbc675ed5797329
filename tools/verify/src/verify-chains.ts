import { setImmediate } from 'node:timers/promises';
import {
  ChainVerifier,
  UnreadableEvent,
  findUnreadableEvent,
  type AllPage,
  type BrokenLink,
  type EventStore,
  type Position,
  type ReadAllOptions,
} from '@tillstream/event-store';

export interface Verification {
  /** Events whose hash fits. */
  readonly events: number;
  readonly streams: number;
  /** The first `BROKEN_EVENTS_MAX` broken events, in the order of the store. */
  readonly broken: readonly BrokenLink[];
  readonly brokenCount: number;
  readonly brokenStreams: number;
}

export const BROKEN_EVENTS_MAX = 100;
const PAGE_EVENTS = 1000;
/** A store returns nothing of a page with an unreadable event. The events before it are read in pages this much smaller. */
const PAGE_DIVISOR = 8;

/**
 * Checks every event against the one before it in its stream, in the order of the store, and goes on after a broken event.
 * Ends at the head of the store as it is then. Holds one page in memory and about 200 bytes per stream. The loss of a
 * stream's last events, or of a whole stream, can't be seen: no later event has their hash.
 */
export async function verifyChains(
  store: Pick<EventStore, 'readAll'>,
  progress: (events: number) => void = () => undefined,
): Promise<Verification> {
  const verifier = new ChainVerifier();
  const broken: BrokenLink[] = [];
  const brokenStreams = new Set<string>();
  let brokenCount = 0;
  const add = (link: BrokenLink): void => {
    brokenCount += 1;
    brokenStreams.add(link.stream);
    if (broken.length < BROKEN_EVENTS_MAX) broken.push(link);
  };
  let after: Position | undefined;
  let limit = PAGE_EVENTS;
  for (;;) {
    const page = await readPage(store, { limit, ...(after !== undefined && { after }) });
    if (page instanceof UnreadableEvent) {
      if (limit === 1) {
        verifier.skipUnreadable(page.link).forEach(add);
        after = page.position;
      }
      limit = Math.max(1, Math.floor(limit / PAGE_DIVISOR));
      continue;
    }
    for (const event of page.events) {
      const link = verifier.check(event);
      if (link) add(link);
    }
    progress(verifier.counts.events + brokenCount);
    if (page.end || page.next === undefined) {
      return { ...verifier.counts, broken, brokenCount, brokenStreams: brokenStreams.size };
    }
    after = page.next;
    limit = Math.min(PAGE_EVENTS, limit * PAGE_DIVISOR);
    await setImmediate();
  }
}

/** Returns a page, or the error about an event of it that can't be read. */
async function readPage(
  store: Pick<EventStore, 'readAll'>,
  from: ReadAllOptions,
): Promise<AllPage | UnreadableEvent> {
  try {
    return await store.readAll(from);
  } catch (error) {
    const unreadable = findUnreadableEvent(error);
    if (unreadable === undefined) throw error;
    return unreadable;
  }
}
