import {
  excludeSystemEvents,
  streamNameFilter,
  type AllStreamRecordedEvent,
  type RecordedEvent as DriverEvent,
  type SubscribeToAllOptions,
} from '@eventstore/db-client';
import {
  EventStoreError,
  streamCategory,
  UnreadableEvent,
  type JsonObject,
  type Position,
  type RecordedEvent,
} from '@tillstream/event-store';

/** A position in the server's log: of an event (both numbers are equal) or of a checkpoint between events (prepare is 0). */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

const POSITION_FORM = /^(0|[1-9][0-9]{0,19})\/(0|[1-9][0-9]{0,19})$/;

/** `<commit>/<prepare>`, in decimal. */
export function formatPosition({ commit, prepare }: LogPosition): Position {
  const text = commit.toString();
  return `${text}/${commit === prepare ? text : prepare.toString()}` as Position;
}

/** Throws `Invalid` for a position of another store. */
export function parsePosition(position: Position): LogPosition {
  const [, commit, prepare] = POSITION_FORM.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new EventStoreError('Invalid', `'${position}' is no position of EventStoreDB`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

export function compareLogPositions(a: LogPosition, b: LogPosition): -1 | 0 | 1 {
  if (a.commit !== b.commit) return a.commit < b.commit ? -1 : 1;
  if (a.prepare !== b.prepare) return a.prepare < b.prepare ? -1 : 1;
  return 0;
}

/** Undefined stands before the first event. */
export function isAfter(place: LogPosition, other: LogPosition | undefined): boolean {
  return other === undefined || compareLogPositions(place, other) > 0;
}

/** Throws `Invalid`, caused by an `UnreadableEvent`, for an event without JSON, which another program wrote. */
export function recordedEvent(event: DriverEvent): RecordedEvent {
  return {
    id: event.id,
    type: event.type,
    data: jsonObject(event, 'data'),
    metadata: event.metadata === undefined ? {} : jsonObject(event, 'metadata'),
    stream: event.streamId,
    revision: Number(event.revision),
    position: formatPosition(eventLogPosition(event)),
  };
}

/** Throws `Invalid` if the server is too old to send positions. */
export function eventLogPosition(event: DriverEvent): LogPosition {
  if (event.position !== undefined) return event.position;
  throw new EventStoreError(
    'Invalid',
    'EventStoreDB must be of version 22.6 or newer: events have no position',
  );
}

/** The driver returns bytes or a text if it can't parse the data. */
function jsonObject(event: DriverEvent, part: 'data' | 'metadata'): JsonObject {
  const value: unknown = event[part];
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  if (isObject && !Array.isArray(value)) return value as JsonObject;
  const { id, streamId: stream } = event;
  const revision = Number(event.revision);
  const link = { stream, revision, id, problem: `its ${part} is no JSON object` };
  const cause = new UnreadableEvent(link, formatPosition(eventLogPosition(event)));
  const message = `event ${id} (${stream}, revision ${revision}) is no JSON object: another program wrote it`;
  throw new EventStoreError('Invalid', message, { cause });
}

/** Events of one scan window of the server. It sends a checkpoint after each, so a restart scans at most one again. */
const SEARCH_WINDOW = 1000;
const CHECKPOINT_INTERVAL = 1;
const MATCHES_NOTHING = '(?!)';

/** Which events a read requests. */
export class EventFilter {
  readonly #categories: ReadonlySet<string> | undefined;

  /** @param categories left out: all events except those of the server itself */
  constructor(categories: readonly string[] | undefined) {
    this.#categories = categories && new Set(categories);
  }

  /** The server's filter compares prefixes: with `refund`, events of `refundlimit-1` pass too. */
  matches({ type, streamId }: AllStreamRecordedEvent): boolean {
    // Events of the server itself (statistics, settings, links).
    if (type.startsWith('$') || streamId.startsWith('$')) return false;
    return this.#categories?.has(streamCategory(streamId)) !== false;
  }

  driverFilter(): NonNullable<SubscribeToAllOptions['filter']> {
    const often = { checkpointInterval: CHECKPOINT_INTERVAL, maxSearchWindow: SEARCH_WINDOW };
    if (this.#categories === undefined) return excludeSystemEvents(often);
    if (this.#categories.size === 0) return streamNameFilter({ ...often, regex: MATCHES_NOTHING });
    return streamNameFilter({ ...often, prefixes: [...this.#categories] });
  }
}
