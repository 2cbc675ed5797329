import type {
  AllPage,
  EventHead,
  EventStore,
  HeadsPage,
  Position,
  RecordedEvent,
} from '@tillstream/event-store';
import { leavesNothing } from './payment.work.js';

export interface WorkPage extends Pick<AllPage, 'next' | 'end'> {
  /** Those of each stream in their order. */
  readonly events: readonly RecordedEvent[];
}

/** Parsed in one go: few leave the event loop its turns. */
const EVENTS = 100;
/** Heads are looked through faster, and the fewer pages there are, the fewer payments lie in two of them. */
const HEADS = 3_000;
const AT_ONCE = 1_000;

/**
 * The events that come next, without those of which it is known beforehand that they leave nothing to be done: where the
 * store gives heads, only what is not over yet is read and parsed.
 */
export async function nextPage(
  store: EventStore,
  after: Position | undefined,
  categories: readonly string[],
): Promise<WorkPage> {
  if (!store.readHeads) return store.readAll({ ...(after && { after }), categories, limit: EVENTS });
  const readHeads = store.readHeads.bind(store);
  const { heads, ...place } = await headsOf(readHeads, after, categories);
  const events: RecordedEvent[] = [];
  for (const ofStream of byStream(heads)) {
    if (!isOver(ofStream)) events.push(...(await eventsOf(store, ofStream)));
  }
  return { ...place, events };
}

async function headsOf(
  readHeads: NonNullable<EventStore['readHeads']>,
  after: Position | undefined,
  categories: readonly string[],
): Promise<HeadsPage> {
  const heads: EventHead[] = [];
  for (let from = after; ;) {
    const page = await readHeads({ ...(from && { after: from }), categories, limit: AT_ONCE });
    heads.push(...page.heads);
    if (page.end || heads.length >= HEADS) return { ...page, heads };
    from = page.next;
    await new Promise((resume) => setImmediate(resume));
  }
}

type Heads = [EventHead, ...EventHead[]];

function byStream(heads: readonly EventHead[]): Iterable<Heads> {
  const streams = new Map<string, Heads>();
  for (const head of heads) {
    const before = streams.get(head.stream);
    if (before) before.push(head);
    else streams.set(head.stream, [head]);
  }
  return streams.values();
}

function isOver(heads: Heads): boolean {
  return heads[0].revision === 0 && leavesNothing(heads.map(({ type }) => type));
}

/** What came later is left for its own page. */
async function eventsOf(store: EventStore, heads: Heads): Promise<RecordedEvent[]> {
  const [{ stream, revision }] = heads;
  const events: RecordedEvent[] = [];
  while (events.length < heads.length) {
    const limit = Math.min(AT_ONCE, heads.length - events.length);
    const page = await store.readStream(stream, { from: revision + events.length, limit });
    if (page.events.length === 0)
      throw new Error(`${stream} ends before its event ${revision + events.length}`);
    events.push(...page.events);
  }
  return events;
}
