import {
  canonicalObjectJson,
  PreserialisedEvent,
  type Append,
  type RecordedEvent,
} from '@tillstream/event-store';

const APPEND_EVENTS_MAX = 100;
/** UTF-8 bytes of data and metadata; a single event may have more. */
const APPEND_BYTES_MAX = 524_288;

/** An append of recorded events, with its size. */
export interface Packed {
  readonly append: Append;
  readonly bytes: number;
}

/**
 * Packs recorded events into appends that write them again in their order. Neighbours of one stream share an append of at
 * most 100 events and 512 KiB. Ids and hashes stay, so every store recognises a repeated append.
 */
export function packAppends(events: readonly RecordedEvent[]): Packed[] {
  const packed: Packed[] = [];
  let last: OpenPack | undefined;
  for (const event of events) {
    const data = canonicalObjectJson(event.data);
    const metadata = canonicalObjectJson(event.metadata);
    const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
    const copy = new PreserialisedEvent(
      { id: event.id, type: event.type, data, metadata },
      event.data,
      event.metadata,
    );
    if (last !== undefined && follows(last, event) && last.bytes + bytes <= APPEND_BYTES_MAX) {
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
    append.events.length < APPEND_EVENTS_MAX &&
    revision === first + append.events.length
  );
}
