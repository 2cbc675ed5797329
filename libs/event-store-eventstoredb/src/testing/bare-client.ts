import {
  binaryEvent,
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  NO_STREAM,
  START,
} from '@eventstore/db-client';
import type { NewEvent } from '@tillstream/event-store';

/** The driver as somebody would use it who needs no more than it gives: for benchmarks to compare the store with. */
export interface BareClient {
  /** By the driver's default way, which gathers appends; `after` is the revision to follow, left out: a new stream. */
  append(stream: string, events: readonly NewEvent[], after?: number): Promise<void>;
  /** At the end of a stream, an event of another program: its data are these bytes, and no JSON. */
  appendBytes(stream: string, bytes: Uint8Array): Promise<void>;
  /** Reads so many events from the beginning, as a subscriber to everything but the system's own. */
  catchUp(events: number): Promise<void>;
  close(): Promise<void>;
}

export function openBareClient(url: string): BareClient {
  const client = EventStoreDBClient.connectionString(url);
  return {
    async append(stream, events, after) {
      await client.appendToStream(
        stream,
        events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data: { ...data }, metadata })),
        { expectedRevision: after === undefined ? NO_STREAM : BigInt(after) },
      );
    },
    async appendBytes(stream, bytes) {
      await client.appendToStream(stream, [binaryEvent({ type: 'Bytes', data: bytes })]);
    },
    async catchUp(events) {
      const subscription = client.subscribeToAll({ fromPosition: START, filter: excludeSystemEvents() });
      let left = events;
      for await (const { event } of subscription) {
        if (event !== undefined) left -= 1;
        if (left === 0) break;
      }
    },
    close: () => client.dispose(),
  };
}
