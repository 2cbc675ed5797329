import { positionOf, type EventHead, type JsonObject, type RecordedEvent } from '@tillstream/event-store';

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

export function eventOf(row: EventRow): RecordedEvent {
  return {
    id: eventIdText(row.id),
    type: row.type,
    data: JSON.parse(row.data) as JsonObject,
    metadata: JSON.parse(row.metadata) as JsonObject,
    stream: row.stream,
    revision: row.revision,
    position: positionOf(row.position),
  };
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
