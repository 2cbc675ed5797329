/** An event to append. `JSON.parse(JSON.stringify(x))` must return `data` and `metadata` unchanged. */
export interface NewEvent {
  /** UUID, chosen before the first attempt: a repeated append with the same ids writes nothing twice. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** An event as the store returns it. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** Number in the stream, from 0, without gaps. */
  readonly revision: number;
  /** Place in the whole store. */
  readonly position: Position;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Only the adapter can read it. Callers store it, pass it back, and compare it with `EventStore.comparePositions`. */
export type Position = string & { readonly position: unique symbol };

/** A number is the revision of the last event. Payment streams never use `any`. */
export type ExpectedRevision = 'none' | 'any' | number;

/** The category of `payment-01H…` is `payment`: the text before the first dash. */
export function streamCategory(stream: string): string {
  const dash = stream.indexOf('-');
  return dash < 0 ? stream : stream.slice(0, dash);
}
