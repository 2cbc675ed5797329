import { setImmediate } from 'node:timers/promises';
import {
  landmarkOf,
  type AllPage,
  type EventHead,
  type EventStore,
  type Landmark,
  type Position,
  type RecordedEvent,
} from '@tillstream/event-store';
import { leavesNothing } from './payment.work.js';

export interface WorkPage extends Pick<AllPage, 'next' | 'end'> {
  /** Those of each stream in their order. */
  readonly events: readonly RecordedEvent[];
  /** The last event before `next`, also where it is none of these. Left out of an empty page. */
  readonly landmark?: Landmark;
}

/** Parsed in one go: few leave the event loop its turns. */
const EVENTS = 100;
/** Heads are looked through faster, and the fewer pages there are, the fewer payments lie in two of them. */
const HEADS = 3_000;
const HEADS_AT_ONCE = 1_000;
/** Where more than so many events would have to be read, the page ends earlier: its rows are one write. */
const MOST_READ = 300;

/**
 * The events that come next, without those of which it is known beforehand that they leave nothing to be done: where the
 * store gives heads, only what is not over yet is read and parsed.
 */
export async function nextPage(
  store: EventStore,
  after: Position | undefined,
  categories: readonly string[],
): Promise<WorkPage> {
  if (!store.readHeads) {
    const page = await store.readAll({ ...(after && { after }), categories, limit: EVENTS });
    return { ...page, ...endOf(page.events) };
  }
  const { open, ...place } = await openStreams(store.readHeads.bind(store), after, categories);
  const events: RecordedEvent[] = [];
  let parsed = 0;
  for (const ofStream of open) {
    events.push(...(await eventsOf(store, ofStream)));
    if (events.length < parsed + EVENTS) continue;
    parsed = events.length;
    await setImmediate();
  }
  return { ...place, events };
}

async function openStreams(
  readHeads: NonNullable<EventStore['readHeads']>,
  after: Position | undefined,
  categories: readonly string[],
): Promise<OpenStreams> {
  const heads: EventHead[] = [];
  for (let from = after; ;) {
    const page = await readHeads({ ...(from && { after: from }), categories, limit: HEADS_AT_ONCE });
    heads.push(...page.heads);
    const open = notOver(heads);
    if (open.flat().length > MOST_READ) return beginningOf(heads);
    if (page.end || heads.length >= HEADS) {
      const { next, end } = page;
      return { ...(next !== undefined && { next }), end, open, ...endOf(heads) };
    }
    from = page.next;
    await setImmediate();
  }
}

function beginningOf(heads: readonly EventHead[]): OpenStreams {
  const some = heads.slice(0, MOST_READ);
  return { open: notOver(some), next: some.at(-1)?.position as Position, end: false, ...endOf(some) };
}

function endOf(read: readonly Landmark[]): Pick<WorkPage, 'landmark'> {
  const last = read.at(-1);
  return last ? { landmark: landmarkOf(last) } : {};
}

type Heads = [EventHead, ...EventHead[]];

interface OpenStreams extends Omit<WorkPage, 'events'> {
  readonly open: readonly Heads[];
}

/** By stream, those of which it is not certain that they leave nothing. */
function notOver(heads: readonly EventHead[]): Heads[] {
  const streams = new Map<string, Heads>();
  for (const head of heads) {
    const before = streams.get(head.stream);
    if (before) before.push(head);
    else streams.set(head.stream, [head]);
  }
  return [...streams.values()].filter(
    (ofStream) => ofStream[0].revision > 0 || !leavesNothing(ofStream.map(({ type }) => type)),
  );
}

/** What came later is left for its own page. No page has as many as a read may give. */
async function eventsOf(store: EventStore, heads: Heads): Promise<readonly RecordedEvent[]> {
  const [{ stream, revision }] = heads;
  const { events } = await store.readStream(stream, { from: revision, limit: heads.length });
  if (events.length < heads.length)
    throw new Error(`${stream} ends before its event ${revision + events.length}`);
  return events;
}
