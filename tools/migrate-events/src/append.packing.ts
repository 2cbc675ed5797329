import {
  canonicalObjectJson,
  PreserialisedEvent,
  type Append,
  type RecordedEvent,
} from '@tillstream/event-store';

const MOST_EVENTS = 100;
/** UTF-8 bytes of data and metadata; one event alone may have more. */
const MOST_BYTES = 524_288;

/** An append of recorded events, with its size. */
export interface Packed {
  readonly append: Append;
  readonly bytes: number;
}

/**
 * The appends that write these events again, in their order, each where it was: neighbours of one stream travel
 * together, up to 100 events and 512 KiB. Ids and hashes stay, so an append that is repeated is known by every store.
 */
export function packAppends(events: readonly RecordedEvent[]): Packed[] {
  const packed: Packed[] = [];
  let last: OpenPack | undefined;
  for (const event of events) {
    const data = canonicalObjectJson(event.data);
    const metadata = canonicalObjectJson(event.metadata);
    const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
    const copy = new PreserialisedEvent(event.id, event.type, event.data, event.metadata, data, metadata);
    if (last !== undefined && follows(last, event) && last.bytes + bytes <= MOST_BYTES) {
      last.append.events.push(copy);
      last.bytes += bytes;
    } else {
      const { stream, revision } = event;
      const expected = revision === 0 ? ('none' as const) : revision - 1;
      last = { append: { stream, expected, events: [copy] }, bytes, first: revision };
      packed.push(last);
    }
  }
  return packed;
}

interface OpenPack {
  readonly append: Append & { readonly events: PreserialisedEvent[] };
  bytes: number;
  readonly first: number;
}

function follows({ append, first }: OpenPack, { stream, revision }: RecordedEvent): boolean {
  return (
    append.stream === stream &&
    append.events.length < MOST_EVENTS &&
    revision === first + append.events.length
  );
}
