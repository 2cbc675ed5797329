import {
  ChainVerifier,
  findUnreadableEvent,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '@tillstream/event-store';
import { problemOf, type EventProblem } from './event.problem.js';

const PAGE_EVENTS = 500;
/** Events after the first one that are searched for the problem: a list folds its whole stream. */
const SEARCHED_EVENTS_MAX = 2_000;

/** The first event that a consumer has not handled. Nothing of its content: that may be personal. */
export interface NextEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** Absent if the store can't read it. */
  readonly event?: Pick<RecordedEvent, 'id' | 'type' | 'metadata'> & { readonly fields: readonly string[] };
  /** The first problem of this stream from that event on. */
  readonly problem?: EventProblem;
}

/** Undefined if there is no later event of these categories. */
export async function findNextEvent(
  store: EventStore,
  after: Position | undefined,
  categories: readonly string[],
): Promise<NextEvent | undefined> {
  const place = await nextPlace(store, after, categories);
  if (!place) return undefined;
  const { stream, revision } = place;
  const [read] = await readOrProblem(store, stream, revision, 1);
  const problem = await findProblem(store, stream, revision);
  return {
    ...place,
    ...(isEvent(read) && {
      event: {
        ...{ id: read.id, type: read.type, metadata: read.metadata },
        fields: Object.keys(read.data).filter((name) => /^[A-Za-z]\w{0,40}$/.test(name)),
      },
    }),
    ...(problem && { problem }),
  };
}

async function nextPlace(
  store: EventStore,
  start: Position | undefined,
  categories: readonly string[],
): Promise<Pick<NextEvent, 'stream' | 'revision' | 'position'> | undefined> {
  for (let after = start; ;) {
    try {
      const { headers, next, end } = await store.readHeaders({
        ...(after !== undefined && { after }),
        categories,
        limit: 1,
      });
      const [header] = headers;
      if (header) return { stream: header.stream, revision: header.revision, position: header.position };
      if (end || next === undefined || next === after) return undefined;
      after = next;
    } catch (error) {
      const unreadable = findUnreadableEvent(error);
      if (!unreadable) throw error;
      const { stream, revision } = unreadable.link;
      return { stream, revision, position: unreadable.position };
    }
  }
}

/** Reads event by event where a page can't be read, so that it finds the first problem and no later one. */
async function findProblem(
  store: EventStore,
  stream: string,
  first: number,
): Promise<EventProblem | undefined> {
  let limit = PAGE_EVENTS;
  for (let from = first; from < first + SEARCHED_EVENTS_MAX;) {
    const page = await readOrProblem(store, stream, from, limit);
    const problem = page.find((one) => !isEvent(one));
    if (problem && limit > 1) {
      limit = 1;
      continue;
    }
    for (const one of page) {
      if (!isEvent(one)) return one;
      const found = problemOf(one);
      if (found) return found;
    }
    if (page.length < limit) return undefined;
    from += page.length;
  }
  return undefined;
}

async function readOrProblem(
  store: EventStore,
  stream: string,
  from: number,
  limit: number,
): Promise<readonly (RecordedEvent | EventProblem)[]> {
  try {
    return (await store.readStream(stream, { from, limit })).events;
  } catch (error) {
    const unreadable = findUnreadableEvent(error);
    if (!unreadable) throw error;
    const { revision, problem: reason } = unreadable.link;
    return [{ kind: 'Unreadable', revision, reason }];
  }
}

const isEvent = (one: RecordedEvent | EventProblem | undefined): one is RecordedEvent =>
  one !== undefined && 'stream' in one;

/** Checks the hash chain of a stream to its end. Returns the first problem, or undefined if it is intact. */
export async function brokenChainOf(store: EventStore, stream: string): Promise<string | undefined> {
  const verifier = new ChainVerifier();
  for (let from = 0; ;) {
    const page = await readOrProblem(store, stream, from, PAGE_EVENTS);
    for (const one of page) {
      if (!isEvent(one)) return `revision ${one.revision}: ${one.reason}`;
      const broken = verifier.check(one);
      if (broken) return `revision ${broken.revision}: ${broken.problem}`;
    }
    if (page.length < PAGE_EVENTS) return undefined;
    from += page.length;
  }
}
