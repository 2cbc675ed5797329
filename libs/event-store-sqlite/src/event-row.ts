import {
  positionOf,
  UnreadableEvent,
  type EventHead,
  type JsonObject,
  type RecordedEvent,
} from '@tillstream/event-store';

export interface EventRow {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: Buffer;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export type HeadRow = Pick<EventRow, 'position' | 'stream' | 'revision' | 'type'>;

export const HEAD_COLUMNS = 'position, stream, revision, type';
export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, metadata';

/** @throws UnreadableEvent */
export function eventOf(row: EventRow): RecordedEvent {
  return {
    id: eventIdText(row.id),
    type: row.type,
    data: objectIn(row, 'data'),
    metadata: objectIn(row, 'metadata'),
    stream: row.stream,
    revision: row.revision,
    position: positionOf(row.position),
  };
}

function objectIn(row: EventRow, column: 'data' | 'metadata'): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(row[column]);
  } catch (error) {
    throw unreadable(row, column, error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(row, column);
  return value as JsonObject;
}

function unreadable({ stream, revision, id }: EventRow, column: string, cause?: unknown): UnreadableEvent {
  const problem = `its ${column} is no JSON object`;
  return new UnreadableEvent({ stream, revision, id: eventIdText(id), problem }, { cause });
}

export function headOf({ position, ...head }: HeadRow): EventHead {
  return { ...head, position: positionOf(position) };
}

/** A UUID as the 16 bytes that are stored. */
export function eventIdBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

export function eventIdText(id: Buffer): string {
  const hex = id.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
