import { hash } from 'node:crypto';
import { canonicalObjectJson, PreserialisedEvent } from './append.validation.js';
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
type EventAddress = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'type'>;

/**
 * `metadata.hash` of an event: hex SHA-256 over the hash before it in the stream (64 hex digits) and the canonical JSON
 * of { stream, revision, id, type, data, metadata without hash }. A change, a swap or a gap shows from there on.
 */
export function eventHash(previous: string, event: Omit<RecordedEvent, 'position'>): string {
  return computeHash(previous, event, canonicalJson(event.data), canonicalJson(withoutHash(event.metadata)));
}

/** The events with `metadata.hash`, as they will follow `last` (left out: they begin the stream). */
export function chainEvents(
  stream: string,
  last: RecordedEvent | undefined,
  events: readonly NewEvent[],
): NewEvent[] {
  let previous = last === undefined ? CHAIN_START : (storedHash(last.metadata) ?? CHAIN_START);
  let revision = last === undefined ? 0 : last.revision + 1;
  // What is appended together mostly has the same metadata: its text is made once.
  let shared: JsonObject | undefined;
  let metadata = '';
  return events.map((event) => {
    const data = canonicalObjectJson(event.data);
    if (shared === undefined || !hasSameMembers(shared, event.metadata)) {
      metadata = canonicalObjectJson(withoutHash(event.metadata));
      shared = event.metadata;
    }
    const { id, type } = event;
    const chainedHash = computeHash(previous, { stream, revision, id, type }, data, metadata);
    const hashed = `${metadata.slice(0, -1)}${metadata === '{}' ? '' : ','}"hash":"${chainedHash}"}`;
    previous = chainedHash;
    revision += 1;
    const texts = { id, type, data, metadata: hashed };
    return new PreserialisedEvent(texts, event.data, { ...event.metadata, hash: chainedHash });
  });
}

/** What the next event of a stream has to follow. */
interface ChainLink {
  readonly revision: number;
  /** Undefined: nothing is known of it, since it was missing, could not be read, or had none. */
  readonly hash: string | undefined;
  /** Of an event whose hash does not fit: the one that its content gives. Either it or the content was changed. */
  readonly recomputedHash?: string;
}

/**
 * Checks streams event by event, in any interleaving of streams (as `readAll` gives them); it keeps one link per
 * stream, about 200 bytes, and no event. It goes on after what is broken: what follows is checked against what is left.
 */
export class ChainVerifier {
  readonly #links = new Map<string, ChainLink>();
  #events = 0;

  /**
   * What is wrong with this event, or undefined. Of the one after a missing or unreadable event the content can't be
   * checked; where content and hash of an event were both changed, the next one shows as broken too.
   */
  check(event: RecordedEvent): BrokenLink | undefined {
    const { stream, revision, id } = event;
    const last = this.#links.get(stream);
    const { problem, link } = checkEvent(event, last);
    // One that comes again, or too late, is no place to go on from.
    if (last === undefined || revision > last.revision) this.#links.set(stream, link);
    if (problem !== undefined) return { stream, revision, id, problem };
    this.#events += 1;
    return undefined;
  }

  /** Passes over an event that can't be read. Gives what is wrong there: that, and a gap before it. */
  skipUnreadable(unreadable: BrokenLink): readonly BrokenLink[] {
    const { stream, revision, id } = unreadable;
    const due = nextRevision(this.#links.get(stream));
    if (revision >= due) this.#links.set(stream, { revision, hash: undefined });
    return revision === due ? [unreadable] : [{ stream, revision, id, problem: gapProblem(due) }, unreadable];
  }

  head(stream: string): ChainHead | undefined {
    const link = this.#links.get(stream);
    return link && { revision: link.revision, hash: link.hash ?? '' };
  }

  /** Events that are as they were written, and streams that have any event. */
  get counts(): { readonly events: number; readonly streams: number } {
    return { events: this.#events, streams: this.#links.size };
  }
}

function checkEvent(
  event: RecordedEvent,
  last: ChainLink | undefined,
): { readonly problem?: string; readonly link: ChainLink } {
  const { revision } = event;
  const hash = storedHash(event.metadata);
  const link = { revision, hash };
  const due = nextRevision(last);
  if (revision !== due) return { problem: gapProblem(due), link };
  if (hash === undefined) return { problem: 'it has no hash', link };
  if (last !== undefined && last.hash === undefined) return { link };
  const expected = eventHash(last?.hash ?? CHAIN_START, event);
  if (hash === expected) return { link };
  if (last?.recomputedHash !== undefined && hash === eventHash(last.recomputedHash, event)) return { link };
  return {
    problem: `its hash is ${hash}, its content and the event before it give ${expected}`,
    link: { ...link, recomputedHash: expected },
  };
}

function nextRevision(last: ChainLink | undefined): number {
  return last === undefined ? 0 : last.revision + 1;
}

function gapProblem(due: number): string {
  return `revision ${due} should come here: events are missing or out of order`;
}

/** Canonical JSON of the whole from its parts: the keys in their order. */
function computeHash(previous: string, placed: EventAddress, data: string, metadata: string): string {
  const text =
    `${previous}{"data":${data},"id":${jsonString(placed.id)},"metadata":${metadata},"revision":${placed.revision}` +
    `,"stream":${jsonString(placed.stream)},"type":${jsonString(placed.type)}}`;
  return hash('sha256', text, 'hex');
}

function storedHash(metadata: JsonObject): string | undefined {
  const hash = metadata['hash'];
  return typeof hash === 'string' ? hash : undefined;
}

/** The very same members in the same order; other texts may be equal all the same. */
function hasSameMembers(a: JsonObject, b: JsonObject): boolean {
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
