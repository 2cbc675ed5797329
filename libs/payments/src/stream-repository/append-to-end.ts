import { transact, type EventStore, type NewEvent } from '@tillstream/event-store';

/** Appends events that depend on no earlier event of their stream. Durable when it resolves. @throws EventStoreError */
export async function appendToEnd(
  store: EventStore,
  stream: string,
  events: readonly NewEvent[],
): Promise<void> {
  await transact(store, {
    stream,
    tailEvents: 1,
    decisionsMax: Number.POSITIVE_INFINITY,
    decide: () => ({ events, value: undefined }),
  });
}
