import { canonicalJson } from './canonical-json.js';
import { APPEND_BYTES_MAX, EventStoreError, type Append } from './event-store.js';
import type { JsonObject, NewEvent } from './event.js';

/** Longest stream name and event type, in UTF-16 code units. */
export const NAME_LENGTH_MAX = 512;
export const PAGE_EVENTS_MAX = 1000;

/** An event as it is stored: data and metadata are JSON texts. */
export interface SerialisedEvent extends Pick<NewEvent, 'id' | 'type'> {
  readonly data: string;
  readonly metadata: string;
}

export interface SerialisedAppend extends Pick<Append, 'stream' | 'expected'> {
  readonly events: readonly SerialisedEvent[];
  /** UTF-8 bytes of data and metadata together. */
  readonly bytes: number;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Control characters and lone surrogates: no store returns them unchanged. */
const unsafe = /[\p{Cc}\p{Cs}]/u;

/** An event with the texts that its hash was computed over. The store writes these texts and does not serialise again. */
export class PreserialisedEvent implements NewEvent {
  readonly #texts: SerialisedEvent;
  readonly id: string;
  readonly type: string;

  constructor(
    texts: SerialisedEvent,
    readonly data: JsonObject,
    readonly metadata: JsonObject,
  ) {
    this.#texts = texts;
    this.id = texts.id;
    this.type = texts.type;
  }

  /** Undefined for an event that is not preserialised. */
  static serialisedForm(event: NewEvent): SerialisedEvent | undefined {
    return #texts in event ? event.#texts : undefined;
  }
}

/** Checks an append and turns it into texts. Every adapter calls it before it writes. Throws `Invalid` or `TooLarge`. */
export function serialiseAppend(append: Append): SerialisedAppend {
  const { stream, expected, events } = append;
  checkStreamName(stream);
  if (typeof expected === 'number' ? !isRevision(expected) : expected !== 'none' && expected !== 'any') {
    throw invalid(
      `the expected revision must be 'none', 'any' or a whole number from 0, not ${String(expected)}`,
    );
  }
  if (events.length === 0) throw invalid('an append has at least one event');
  if (events.length > 1 && new Set(events.map((event) => event.id)).size < events.length) {
    throw invalid('an event id occurs twice in one append');
  }
  const serialised = events.map(serialiseEvent);
  let bytes = 0;
  for (const { data, metadata } of serialised) bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes > APPEND_BYTES_MAX) {
    throw new EventStoreError('TooLarge', `an append of ${bytes} bytes; the limit is ${APPEND_BYTES_MAX}`);
  }
  return { stream, expected, events: serialised, bytes };
}

/** Throws `Invalid` for a name that a store would not return unchanged. */
export function checkStreamName(stream: string): void {
  checkName(stream, 'stream name');
}

/** The requested page size; without one the largest, 1000. Throws `Invalid` outside 1 to 1000. */
export function checkedPageSize(limit: number | undefined): number {
  if (limit === undefined) return PAGE_EVENTS_MAX;
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_EVENTS_MAX) {
    throw invalid(`a page has 1 to ${PAGE_EVENTS_MAX} events, not ${limit}`);
  }
  return limit;
}

/** The events that a subscription may hold in memory, at most `eventsMax`. Throws `Invalid` below 1. */
export function checkedBuffer(requested: number | undefined, eventsMax: number): number {
  const buffer = requested ?? eventsMax;
  if (!Number.isInteger(buffer) || buffer < 1) {
    throw invalid(`a subscription's buffer holds at least 1 event, not ${buffer}`);
  }
  return Math.min(buffer, eventsMax);
}

/** The revision to read from. Throws `Invalid` for a number that is no revision. */
export function checkedFromRevision(from: number | undefined): number | undefined {
  if (from !== undefined && !isRevision(from)) throw invalid(`${from} is no revision to read from`);
  return from;
}

function serialiseEvent(event: NewEvent): SerialisedEvent {
  if (typeof event.id !== 'string' || !uuid.test(event.id)) {
    throw invalid(`the event id '${event.id}' is no UUID in lower case`);
  }
  checkName(event.type, 'event type');
  return (
    PreserialisedEvent.serialisedForm(event) ?? {
      id: event.id,
      type: event.type,
      data: canonicalObjectJson(event.data),
      metadata: canonicalObjectJson(event.metadata),
    }
  );
}

/** Canonical JSON of data or metadata. Throws `Invalid` if the value is not an object of JSON values. */
export function canonicalObjectJson(value: JsonObject): string {
  const text = canonicalJson(value);
  if (!text.startsWith('{')) throw invalid('data and metadata must be objects');
  return text;
}

function checkName(name: string, what: string): void {
  if (typeof name !== 'string' || name === '') throw invalid(`an empty ${what}`);
  if (name.length > NAME_LENGTH_MAX) throw invalid(`a ${what} of more than ${NAME_LENGTH_MAX} characters`);
  if (unsafe.test(name)) throw invalid(`a ${what} with a control character or half a surrogate pair`);
}

function isRevision(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function invalid(message: string): EventStoreError {
  return new EventStoreError('Invalid', message);
}
