import { setImmediate } from 'node:timers/promises';
import type { EventHeader, EventStore, RecordedEvent } from '@tillstream/event-store';
import { leavesNoWork } from './payment.work-rules.js';

/** The events of a page of headers that the consumer has to read. */
export interface PageToRead {
  /** The last header of the page. If the page has too many events to read, it is cut and the rest is the next page. */
  readonly last: EventHeader;
  /** The headers of each stream that may have work left. */
  readonly open: readonly Headers[];
}

type Headers = readonly [EventHeader, ...EventHeader[]];

/** Events parsed before the event loop gets a turn. */
const PARSED_EVENTS_MAX = 100;
/** Bounds the rows that one transaction writes. */
const READ_EVENTS_MAX = 300;

export function selectPageToRead(headers: Headers): PageToRead {
  const open = streamsWithWork(headers);
  if (open.flat().length <= READ_EVENTS_MAX) return { last: headers.at(-1) ?? headers[0], open };
  const page = headers.slice(0, READ_EVENTS_MAX);
  return { last: page.at(-1) ?? headers[0], open: streamsWithWork(page) };
}

/** The events of the open streams. Events of one stream are in their order. */
export async function readEvents(
  store: Pick<EventStore, 'readStream'>,
  { open }: PageToRead,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  let parsed = 0;
  for (const headers of open) {
    events.push(...(await readStreamEvents(store, headers)));
    if (events.length < parsed + PARSED_EVENTS_MAX) continue;
    parsed = events.length;
    await setImmediate();
  }
  return events;
}

function streamsWithWork(headers: readonly EventHeader[]): Headers[] {
  const streams = new Map<string, [EventHeader, ...EventHeader[]]>();
  for (const header of headers) {
    const ofStream = streams.get(header.stream);
    if (ofStream) ofStream.push(header);
    else streams.set(header.stream, [header]);
  }
  return [...streams.values()].filter((ofStream) => !hasNoWork(ofStream));
}

/** Certain without a read only for payments, and only if the page has the whole stream so far. */
function hasNoWork(headers: Headers): boolean {
  return headers[0].revision === 0 && leavesNoWork(headers.map(({ type }) => type));
}

/** Reads the events of the page, and none that came later. One read has room for a whole page. */
async function readStreamEvents(
  store: Pick<EventStore, 'readStream'>,
  headers: Headers,
): Promise<readonly RecordedEvent[]> {
  const [{ stream, revision }] = headers;
  const { events } = await store.readStream(stream, { from: revision, limit: headers.length });
  if (events.length < headers.length)
    throw new Error(`${stream} ends before its event ${revision + events.length}`);
  return events;
}
