import { referenceCodec, referenceStream } from '@tillstream/domain';
import { MemoryEventStore, newEventId } from '@tillstream/event-store';
import { appendToEnd, serviceActor } from './event-metadata.js';

const clock = { now: () => 1_000, realNow: () => 2_000, monotonicNow: () => 0 };
const stream = referenceStream('mer_A', 'a'.repeat(64));

describe('appendToEnd', () => {
  it('appends after an event of a newer version of the program, which it can not read', async () => {
    const store = new MemoryEventStore();
    const newer = { id: newEventId(), type: 'ReferenceMoved', data: {}, metadata: { schemaVersion: 9 } };
    await store.append({ stream, expected: 'none', events: [newer] });

    const cause = { merchantId: 'mer_A', actor: serviceActor };
    const data = { at: '1970-01-01T00:00:01.000Z', stream: 'payment-1', commandId: 'command-1' };
    await appendToEnd(
      { store, clock },
      { stream, codec: referenceCodec, cause },
      { type: 'ReferenceClaimed', data },
    );

    const { events } = await store.readStream(stream);
    expect(events.map(({ type }) => type)).toEqual(['ReferenceMoved', 'ReferenceClaimed']);
    expect(events[1]).toMatchObject({ data, metadata: { merchantId: 'mer_A', schemaVersion: 1 } });
  });
});
