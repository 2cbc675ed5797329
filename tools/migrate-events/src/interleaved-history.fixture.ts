import { chainEvents, newEventId, type RecordedEvent } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';

const AT_ONCE = 500;

/** Five events a stream, written in rounds: the first of each stream, then two of each, then the last two. */
export async function writeInterleaved(store: SqliteEventStore, streams: number): Promise<void> {
  const last = new Map<string, RecordedEvent>();
  for (const count of [1, 2, 2]) {
    for (let first = 0; first < streams; first += AT_ONCE) {
      const steps = Array.from({ length: Math.min(AT_ONCE, streams - first) }, (_, index) => {
        const stream = `test-${first + index}`;
        const before = last.get(stream);
        const events = chainEvents(stream, before, Array.from({ length: count }, event));
        const newest = events.at(-1);
        const revision = (before?.revision ?? -1) + count;
        if (newest !== undefined) last.set(stream, { ...newest, stream, revision, position });
        const expected = before?.revision ?? ('none' as const);
        return { kind: 'append' as const, append: { stream, expected, events } };
      });
      await store.execute(steps);
    }
  }
}

/** The hash chain does not cover positions. */
const position = '1' as RecordedEvent['position'];

const event = () => ({
  id: newEventId(),
  type: 'Counted',
  data: { text: 'x'.repeat(200), amount: 1050, list: [1, null, { ä: 0.1 }] },
  metadata: { actor: 'me', zone: 'Europe/Berlin' },
});
