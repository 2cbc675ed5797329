/**
 * What a writer hands over. `data` and `metadata` are JSON values: what `JSON.parse(JSON.stringify(x))` gives back
 * unchanged.
 */
export interface NewEvent {
  /** UUID, fixed before the first try: a repeated append with the same ids writes nothing twice. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** An event as the store gives it back. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** Place in the stream, from 0, without gaps. */
  readonly revision: number;
  /** Place in the whole store. */
  readonly position: Position;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Opaque outside an adapter: keep it, hand it back, compare it with `EventStore.comparePositions`. */
export type Position = string & { readonly position: unique symbol };

/** `any` is never used for streams that hold money. A number is the revision of the last event. */
export type ExpectedRevision = 'none' | 'any' | number;

/** The category of `payment-01H…` is `payment`: all before the first dash. */
export function streamCategory(stream: string): string {
  const dash = stream.indexOf('-');
  return dash < 0 ? stream : stream.slice(0, dash);
}
