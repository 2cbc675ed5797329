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
  /** Events that are as they were written. */
  readonly events: number;
  readonly streams: number;
  /** The broken ones, in the order of the store; the first `MOST_KEPT` of them. */
  readonly broken: readonly BrokenLink[];
  readonly brokenCount: number;
  readonly brokenStreams: number;
}

/** Broken events that are kept to be told. */
export const MOST_KEPT = 100;
const PAGE_EVENTS = 1000;
/** Of a page with an event that can't be read nothing is given: what comes before it is read in pages this much smaller. */
const SMALLER = 8;

/**
 * Checks every event of the store against the one before it in its stream, in the order of the store, up to what was
 * there at the last page, and goes on after what is broken. Holds one page and, per stream, a name, a revision and a hash
 * (about 200 bytes) in memory. A stream's last events, or a whole stream, cut off together can't be seen: nothing after
 * them has their hash.
 */
export async function verifyChains(
  store: Pick<EventStore, 'readAll'>,
  progress: (events: number) => void = () => undefined,
): Promise<Verification> {
  const verifier = new ChainVerifier();
  const found = new BrokenEvents();
  let after: Position | undefined;
  let limit = PAGE_EVENTS;
  for (;;) {
    const page = await readable(store, { limit, ...(after !== undefined && { after }) });
    if (page instanceof UnreadableEvent) {
      if (limit === 1) {
        found.add(...verifier.skipUnreadable(page.link));
        after = page.position;
      }
      limit = Math.max(1, Math.floor(limit / SMALLER));
      continue;
    }
    for (const event of page.events) {
      const broken = verifier.check(event);
      if (broken !== undefined) found.add(broken);
    }
    progress(verifier.counts.events + found.count);
    if (page.end || page.next === undefined) return { ...verifier.counts, ...found.summary };
    after = page.next;
    limit = Math.min(PAGE_EVENTS, limit * SMALLER);
    await setImmediate();
  }
}

/** A page, or the event of it that can't be read. */
async function readable(
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

class BrokenEvents {
  count = 0;
  private readonly kept: BrokenLink[] = [];
  private readonly streams = new Set<string>();

  add(...links: readonly BrokenLink[]): void {
    for (const link of links) {
      this.count += 1;
      this.streams.add(link.stream);
      if (this.kept.length < MOST_KEPT) this.kept.push(link);
    }
  }

  get summary(): Pick<Verification, 'broken' | 'brokenCount' | 'brokenStreams'> {
    return { broken: this.kept, brokenCount: this.count, brokenStreams: this.streams.size };
  }
}
