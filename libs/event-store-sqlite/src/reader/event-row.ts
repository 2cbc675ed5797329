import {
  positionFromNumber,
  UnreadableEvent,
  type EventHeader,
  type JsonObject,
  type RecordedEvent,
} from '@tillstream/event-store';

/** Values in the order of the columns. An object for each row would double the cost of the read. */
export type HeaderRow = readonly [position: number, stream: string, revision: number, type: string];
export type EventRow = readonly [...HeaderRow, id: Buffer, data: string, metadata: string];

export const HEADER_COLUMNS = 'position, stream, revision, type';
export const EVENT_COLUMNS = `${HEADER_COLUMNS}, id, data, metadata`;

/** @throws UnreadableEvent */
export function toRecordedEvent(row: EventRow): RecordedEvent {
  const [number, stream, revision, type, idBytes, data, metadata] = row;
  const id = eventIdText(idBytes);
  const header = { id, type, stream, revision, position: positionFromNumber(number) };
  return {
    ...header,
    data: parseObject(data, 'data', header),
    metadata: parseObject(metadata, 'metadata', header),
  };
}

export function toEventHeader([position, stream, revision, type]: HeaderRow): EventHeader {
  return { stream, revision, type, position: positionFromNumber(position) };
}

type HeaderWithId = Omit<RecordedEvent, 'data' | 'metadata'>;

function parseObject(text: string, column: string, header: HeaderWithId): JsonObject {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (error) {
    cause = error;
  }
  const { stream, revision, id, position } = header;
  const link = { stream, revision, id, problem: `its ${column} is no JSON object` };
  throw new UnreadableEvent(link, position, { cause });
}

/** A UUID as the 16 bytes that are stored. */
export function eventIdBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function eventIdText(id: Buffer): string {
  const hex = id.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
