import { setImmediate } from 'node:timers/promises';
import type { EventHeader, EventStore, RecordedEvent } from '@tillstream/event-store';
import { leavesNoWork } from './payment.work-rules.js';

/** What is to be read of a page of heads. */
export interface PageToRead {
  /** The last head of the page, or of its beginning if more is open than one page reads. */
  readonly last: EventHeader;
  /** By stream, the heads of those of which it is not certain that they leave nothing to be done. */
  readonly open: readonly Heads[];
}

type Heads = readonly [EventHeader, ...EventHeader[]];

/** Parsed in one go: few leave the event loop its turns. */
const EVENTS_AT_ONCE = 100;
/** The rows of a page are one write. */
const MOST_READ = 300;

export function selectPageToRead(heads: Heads): PageToRead {
  const open = streamsWithWork(heads);
  const isTooMuch = open.flat().length > MOST_READ;
  const page = isTooMuch ? heads.slice(0, MOST_READ) : heads;
  return { last: page.at(-1) ?? heads[0], open: isTooMuch ? streamsWithWork(page) : open };
}

/** Those of each stream in their order. */
export async function readEvents(
  store: Pick<EventStore, 'readStream'>,
  { open }: PageToRead,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  let parsed = 0;
  for (const ofStream of open) {
    events.push(...(await eventsOfStream(store, ofStream)));
    if (events.length < parsed + EVENTS_AT_ONCE) continue;
    parsed = events.length;
    await setImmediate();
  }
  return events;
}

function streamsWithWork(heads: readonly EventHeader[]): Heads[] {
  const streams = new Map<string, [EventHeader, ...EventHeader[]]>();
  for (const head of heads) {
    const before = streams.get(head.stream);
    if (before) before.push(head);
    else streams.set(head.stream, [head]);
  }
  return [...streams.values()].filter((ofStream) => !hasNoWork(ofStream));
}

/** Only of a whole stream, and of no other category than payments, can it be known without a read. */
function hasNoWork(heads: Heads): boolean {
  return heads[0].revision === 0 && leavesNoWork(heads.map(({ type }) => type));
}

/** What came later is left for its own page. No page has as many as a read may give. */
async function eventsOfStream(
  store: Pick<EventStore, 'readStream'>,
  heads: Heads,
): Promise<readonly RecordedEvent[]> {
  const [{ stream, revision }] = heads;
  const { events } = await store.readStream(stream, { from: revision, limit: heads.length });
  if (events.length < heads.length)
    throw new Error(`${stream} ends before its event ${revision + events.length}`);
  return events;
}
