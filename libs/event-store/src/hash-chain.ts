import { hash } from 'node:crypto';
import { canonicalObjectJson, PreserialisedEvent } from './append.validation.js';
import { canonicalJson, jsonString } from './canonical-json.js';
import type { JsonObject, NewEvent, Position, RecordedEvent } from './event.js';

/** Takes the place of the previous hash at the first event of a stream. */
export const CHAIN_START = '0'.repeat(64);

export interface BrokenLink extends Pick<RecordedEvent, 'stream' | 'revision' | 'id'> {
  readonly problem: string;
}

/** The store has the event, but can't decode it: the file was damaged or changed by hand. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(
    readonly link: BrokenLink,
    /** A reader that skips the event continues after this position. */
    readonly position: Position,
    options?: { readonly cause?: unknown },
  ) {
    super(`stream ${link.stream}, revision ${link.revision}, event ${link.id}: ${link.problem}`, options);
  }
}

/** The unreadable event behind a store's error; undefined if the error has another reason. */
export function findUnreadableEvent(error: unknown): UnreadableEvent | undefined {
  if (error instanceof UnreadableEvent) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof UnreadableEvent ? cause : undefined;
}

/**
 * `metadata.hash` of an event: hex SHA-256 over the previous hash of the stream (64 hex digits) and the canonical JSON of
 * { stream, revision, id, type, data, metadata without hash }. A check finds each changed, swapped or missing event.
 */
export function eventHash(previous: string, event: Omit<RecordedEvent, 'position'>): string {
  return computeHash(previous, event, canonicalJson(event.data), canonicalJson(withoutHash(event.metadata)));
}

/** Adds `metadata.hash` to events that follow `last`. Without `last` they begin the stream. */
export function chainEvents(
  stream: string,
  last: RecordedEvent | undefined,
  events: readonly NewEvent[],
): NewEvent[] {
  let previous = last === undefined ? CHAIN_START : (storedHash(last.metadata) ?? CHAIN_START);
  let revision = last === undefined ? 0 : last.revision + 1;
  return events.map((event) => {
    const data = canonicalObjectJson(event.data);
    const metadata = canonicalObjectJson(withoutHash(event.metadata));
    const { id, type } = event;
    const chainedHash = computeHash(previous, { stream, revision, id, type }, data, metadata);
    const hashed = `${metadata.slice(0, -1)}${metadata === '{}' ? '' : ','}"hash":"${chainedHash}"}`;
    previous = chainedHash;
    revision += 1;
    const texts = { id, type, data, metadata: hashed };
    return new PreserialisedEvent(texts, event.data, { ...event.metadata, hash: chainedHash });
  });
}

/** The event that the next one of its stream has to follow. */
interface ChainLink {
  readonly revision: number;
  /** Undefined: the event was missing or unreadable, or had no hash. */
  readonly hash: string | undefined;
  /** Set if the stored hash does not match: the hash of the event's content. The hash or the content was changed. */
  readonly recomputedHash?: string;
}

/**
 * Checks events one by one, with streams interleaved as `readAll` returns them. It keeps one link per stream (about 200
 * bytes) and no events. After a broken event it continues with the next one.
 */
export class ChainVerifier {
  readonly #links = new Map<string, ChainLink>();
  #events = 0;

  /**
   * Returns the problem of the event, or undefined. It can't check the content of an event that follows a missing or
   * unreadable one. If the content and the hash of an event were changed together, it reports the next event.
   */
  check(event: RecordedEvent): BrokenLink | undefined {
    const { stream, revision, id } = event;
    const last = this.#links.get(stream);
    const { problem, link } = checkEvent(event, last);
    // A repeated or late event does not become the last one.
    if (last === undefined || revision > last.revision) this.#links.set(stream, link);
    if (problem !== undefined) return { stream, revision, id, problem };
    this.#events += 1;
    return undefined;
  }

  /** Skips an unreadable event. Returns its problem, after that of a gap before it. */
  skipUnreadable(unreadable: BrokenLink): readonly BrokenLink[] {
    const { stream, revision, id } = unreadable;
    const due = nextRevision(this.#links.get(stream));
    if (revision >= due) this.#links.set(stream, { revision, hash: undefined });
    return revision === due ? [unreadable] : [{ stream, revision, id, problem: gapProblem(due) }, unreadable];
  }

  /** Intact events, and streams with any event. */
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

/** Builds the canonical JSON of the whole from its parts, so its keys stand in canonical order. */
function computeHash(
  previous: string,
  { stream, revision, id, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'type'>,
  data: string,
  metadata: string,
): string {
  const text =
    `${previous}{"data":${data},"id":${jsonString(id)},"metadata":${metadata},"revision":${revision}` +
    `,"stream":${jsonString(stream)},"type":${jsonString(type)}}`;
  return hash('sha256', text, 'hex');
}

function storedHash(metadata: JsonObject): string | undefined {
  const hash = metadata['hash'];
  return typeof hash === 'string' ? hash : undefined;
}

function withoutHash(metadata: JsonObject): JsonObject {
  return metadata['hash'] === undefined ? metadata : { ...metadata, hash: undefined };
}
