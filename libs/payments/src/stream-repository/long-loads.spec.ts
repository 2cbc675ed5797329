import { eventCodec, foldOf, type Event } from '@tillstream/domain';
import { MemoryEventStore, newEventId } from '@tillstream/event-store';
import { RecentStreams } from './recent-streams.js';
import { StreamRepository } from './repositories.js';

type Counted = Event<'Counted', { readonly number: number }>;
type Count = { readonly status: 'Counting'; readonly sum: number };

const EVENTS = 1_100;
const clock = { now: () => 1_000, realNow: () => 2_000, monotonicNow: () => 0 };

async function longStream() {
  const store = new MemoryEventStore();
  const events = Array.from({ length: EVENTS }, (_, number) => ({
    ...{ id: newEventId(), type: 'Counted', data: { number }, metadata: { schemaVersion: 1 } },
  }));
  for (let from = 0; from < EVENTS; from += 100) {
    const expected = from === 0 ? 'none' : from - 1;
    await store.append({ stream: 'count-1', expected, events: events.slice(from, from + 100) });
  }
  const made = { store, folded: 0, longestFold: 0 };
  const fold = foldOf<Count, Counted>(
    ({ sum }, { data }) => ({ status: 'Counting', sum: sum + data.number }),
    { status: 'Counting', sum: 0 },
  );
  const repository = new StreamRepository<Count, Counted, never>(
    { store, clock },
    {
      codec: eventCodec<Counted>({ types: { Counted: [] } }),
      fold: (counted, from) => {
        const all = [...counted];
        made.folded += all.length;
        made.longestFold = Math.max(made.longestFold, all.length);
        return fold(all, from);
      },
    },
    new RecentStreams<Count>({ eventsMax: 2 * EVENTS }),
  );
  return Object.assign(made, { repository });
}

describe('The load of a long stream', () => {
  const sum = (EVENTS * (EVENTS - 1)) / 2;

  it('folds page by page, so that it never keeps the event loop for long', async () => {
    const made = await longStream();
    const { state, history } = await made.repository.load('count-1');
    expect([state.sum, history.length, history.at(-1)?.revision]).toEqual([sum, EVENTS, EVENTS - 1]);
    expect(made.longestFold).toBeLessThan(EVENTS / 4);
  });

  it('is not repeated for requests that arrive during it', async () => {
    const made = await longStream();
    const loads = await Promise.all(Array.from({ length: 10 }, () => made.repository.load('count-1')));
    expect(new Set(loads.map(({ state }) => state.sum))).toEqual(new Set([sum]));
    // Each had folded its first page when the first load was not over.
    expect(made.folded).toBeLessThan(EVENTS + 10 * 250);
  });

  it('fails alone: the next one is not lost', async () => {
    const made = await longStream();
    const read = made.store.readStream.bind(made.store);
    let reads = 0;
    made.store.readStream = (...of) => {
      reads += 1;
      return reads === 2 ? Promise.reject(new Error('unavailable')) : read(...of);
    };
    await expect(made.repository.load('count-1')).rejects.toThrow('unavailable');
    expect((await made.repository.load('count-1')).state.sum).toBe(sum);
  });
});
