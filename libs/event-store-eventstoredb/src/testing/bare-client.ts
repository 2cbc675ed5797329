import {
  binaryEvent,
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  NO_STREAM,
  START,
} from '@eventstore/db-client';
import type { NewEvent } from '@tillstream/event-store';

/** The driver without this store. Benchmarks compare the store with it. */
export interface BareClient {
  /** Appends as the driver does by default, in batches. `after` is the last revision; left out: a new stream. */
  append(stream: string, events: readonly NewEvent[], after?: number): Promise<void>;
  /** Appends an event of another program, whose data are these bytes and no JSON, to the end of a stream. */
  appendBytes(stream: string, bytes: Uint8Array): Promise<void>;
  /** Reads `events` events from the beginning by a subscription without system events. */
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
