import type { RecordedEvent as DriverEvent } from '@eventstore/db-client';
import {
  EventStoreError,
  UnreadableEvent,
  type JsonObject,
  type RecordedEvent,
} from '@tillstream/event-store';
import { formatPosition, type LogPosition } from './log.position.js';

/**
 * Converts an event of the driver. Throws `Invalid` for an event without JSON, which another program wrote; the cause is an
 * `UnreadableEvent`.
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

/** Throws `Invalid` if the server is too old to send positions. */
export function eventLogPosition(event: DriverEvent): LogPosition {
  if (event.position !== undefined) return event.position;
  throw new EventStoreError(
    'Invalid',
    'EventStoreDB must be of version 22.6 or newer: events have no position',
  );
}

/** Events of the server itself (statistics, settings, links) begin with `$`. */
export function isSystemEvent(event: DriverEvent): boolean {
  return event.type.startsWith('$') || event.streamId.startsWith('$');
}

/** The driver returns bytes or a text if it can't parse the data. */
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
