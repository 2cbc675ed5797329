import type { RecordedEvent as DriverEvent } from '@eventstore/db-client';
import {
  EventStoreError,
  UnreadableEvent,
  type JsonObject,
  type RecordedEvent,
} from '@tillstream/event-store';
import { formatPosition, type LogPosition } from './log.position.js';

/**
 * An event of the driver as the port gives it back. Throws `Invalid` for one that some other program wrote, without JSON;
 * its cause is an `UnreadableEvent`.
 */
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

/** Throws `Invalid` for an event of a server that is too old to tell it. */
export function eventLogPosition(event: DriverEvent): LogPosition {
  if (event.position !== undefined) return event.position;
  throw new EventStoreError(
    'Invalid',
    'EventStoreDB must be of version 22.6 or newer: events have no position',
  );
}

/** The server's own: statistics, settings, links. They begin with `$`. */
export function isSystemEvent(event: DriverEvent): boolean {
  return event.type.startsWith('$') || event.streamId.startsWith('$');
}

/** The driver gives bytes or a text for what it can't parse. */
function jsonObject(event: DriverEvent, part: 'data' | 'metadata'): JsonObject {
  const value: unknown = event[part];
  if (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Uint8Array) &&
    !Array.isArray(value)
  ) {
    return value as JsonObject;
  }
  const { id, streamId: stream } = event;
  const revision = Number(event.revision);
  const problem = `its ${part} is no JSON object`;
  throw new EventStoreError(
    'Invalid',
    `event ${id} (${stream}, revision ${revision}) is no JSON object: another program wrote it`,
    {
      cause: new UnreadableEvent({ stream, revision, id, problem }, formatPosition(eventLogPosition(event))),
    },
  );
}
