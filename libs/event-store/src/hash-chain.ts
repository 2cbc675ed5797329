import { hash } from 'node:crypto';
import { objectText, SerialisedNewEvent } from './append.validation.js';
import { canonicalJson, jsonString } from './canonical-json.js';
import type { JsonObject, NewEvent, RecordedEvent } from './event.js';

/** Stands for the hash before a stream's first event. */
export const CHAIN_START = '0'.repeat(64);

/** The last event of a stream that was checked. */
export interface ChainHead {
  readonly revision: number;
  readonly hash: string;
}

export interface BrokenLink {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly problem: string;
}

/** Where an event goes: all of it that its hash covers, besides what was given by the writer. */
type Placed = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'type'>;

/**
 * `metadata.hash` of an event: hex SHA-256 over the hash before it in the stream (64 hex digits) and the canonical JSON
 * of { stream, revision, id, type, data, metadata without hash }. A change, a swap or a gap shows from there on.
 */
export function eventHash(previous: string, event: Omit<RecordedEvent, 'position'>): string {
  return hashOf(previous, event, canonicalJson(event.data), canonicalJson(withoutHash(event.metadata)));
}

/** The events with `metadata.hash`, as they will follow `last` (left out: they begin the stream). */
export function chainEvents(
  stream: string,
  last: RecordedEvent | undefined,
  events: readonly NewEvent[],
): NewEvent[] {
  let previous = last === undefined ? CHAIN_START : (hashIn(last.metadata) ?? CHAIN_START);
  let revision = last === undefined ? 0 : last.revision + 1;
  // What is appended together mostly has the same metadata: its text is made once.
  let shared: JsonObject | undefined;
  let metadata = '';
  return events.map((event) => {
    const data = objectText(event.data);
    if (shared === undefined || !isAlike(shared, event.metadata)) {
      metadata = objectText(withoutHash(event.metadata));
      shared = event.metadata;
    }
    const { id, type } = event;
    const chainedHash = hashOf(previous, { stream, revision, id, type }, data, metadata);
    const hashed = `${metadata.slice(0, -1)}${metadata === '{}' ? '' : ','}"hash":"${chainedHash}"}`;
    previous = chainedHash;
    revision += 1;
    return new SerialisedNewEvent(
      id,
      type,
      event.data,
      { ...event.metadata, hash: chainedHash },
      data,
      hashed,
    );
  });
}

/**
 * Checks streams event by event, in any interleaving of streams (as `readAll` gives them); it keeps one head per
 * stream, about 200 bytes, and no event.
 */
export class ChainVerifier {
  readonly #heads = new Map<string, ChainHead>();
  #events = 0;

  /** What is wrong with this event, or undefined. After a broken link go no further: all that follows hangs on it. */
  check(event: RecordedEvent): BrokenLink | undefined {
    const { stream, revision, id } = event;
    const head = this.#heads.get(stream);
    const problem = problemOf(event, head);
    if (problem !== undefined) return { stream, revision, id, problem };
    this.#heads.set(stream, { revision, hash: hashIn(event.metadata) ?? '' });
    this.#events += 1;
    return undefined;
  }

  head(stream: string): ChainHead | undefined {
    return this.#heads.get(stream);
  }

  get checked(): { readonly events: number; readonly streams: number } {
    return { events: this.#events, streams: this.#heads.size };
  }
}

function problemOf(event: RecordedEvent, head: ChainHead | undefined): string | undefined {
  const due = head === undefined ? 0 : head.revision + 1;
  if (event.revision !== due) return `revision ${due} should come here: events are missing or out of order`;
  const found = hashIn(event.metadata);
  if (found === undefined) return 'it has no hash';
  const expected = eventHash(head?.hash ?? CHAIN_START, event);
  return found === expected
    ? undefined
    : `its hash is ${found}, its content and the event before it give ${expected}`;
}

/** Canonical JSON of the whole from its parts: the keys in their order. */
function hashOf(previous: string, placed: Placed, data: string, metadata: string): string {
  const text =
    `${previous}{"data":${data},"id":${jsonString(placed.id)},"metadata":${metadata},"revision":${placed.revision}` +
    `,"stream":${jsonString(placed.stream)},"type":${jsonString(placed.type)}}`;
  return hash('sha256', text, 'hex');
}

function hashIn(metadata: JsonObject): string | undefined {
  const hash = metadata['hash'];
  return typeof hash === 'string' ? hash : undefined;
}

/** The very same members in the same order; other texts may be equal all the same. */
function isAlike(a: JsonObject, b: JsonObject): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    if (key !== others[index] || a[key] !== b[key]) return false;
  }
  return true;
}

function withoutHash(metadata: JsonObject): JsonObject {
  if (metadata['hash'] === undefined) return metadata;
  return { ...metadata, hash: undefined };
}
