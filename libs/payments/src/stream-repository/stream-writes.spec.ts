import { accepted, eventCodec, foldOf, rejected, type Event } from '@tillstream/domain';
import { MemoryEventStore } from '@tillstream/event-store';
import { RecentStreams } from './recent-streams.js';
import { serviceActor } from './event-metadata.js';
import { StreamRepository } from './repositories.js';
import { StreamWrites } from './stream-writes.js';

type Taken = Event<'Taken', { readonly number: number }>;
interface Count {
  readonly status: 'Counting';
  readonly taken: readonly number[];
}

const clock = { now: () => 1_000, realNow: () => 2_000, monotonicNow: () => 0 };
const cause = { merchantId: 'mer_A', actor: serviceActor };
const WRITES = 20;

describe('Writes of one process to a stream', () => {
  it('are decided one after the other, so that none is appended in vain, and see those before them', async () => {
    const store = new MemoryEventStore();
    const append = store.append.bind(store);
    let appends = 0;
    store.append = (...of) => {
      appends += 1;
      return append(...of);
    };
    const repository = new StreamRepository<Count, Taken, string>(
      { store, clock },
      {
        codec: eventCodec<Taken>({ types: { Taken: [] } }),
        fold: foldOf<Count, Taken>(
          ({ taken }, { data }) => ({ status: 'Counting', taken: [...taken, data.number] }),
          { status: 'Counting', taken: [] },
        ),
      },
      new RecentStreams<Count>({ eventsMax: 100 }),
    );
    const loaded = await repository.load('count-1');
    const written = await Promise.all(
      Array.from({ length: WRITES }, () =>
        repository.transact(loaded, cause, ({ taken }) =>
          taken.length < WRITES - 1
            ? accepted([{ type: 'Taken', data: { number: taken.length } }], undefined)
            : rejected('all are taken'),
        ),
      ),
    );
    expect(written.map(({ kind }) => kind)).toEqual([
      ...Array<string>(WRITES - 1).fill('Written'),
      'Rejected',
    ]);
    expect(appends).toBe(WRITES - 1);
    const { state } = await repository.load('count-1');
    expect(state.taken).toEqual(Array.from({ length: WRITES - 1 }, (_, number) => number));
  });

  it('go on after one that failed, and do not wait for those to other streams', async () => {
    const writes = new StreamWrites();
    const never = writes.run('a', () => new Promise<void>(() => undefined));
    const order: string[] = [];
    const failed = writes.run('b', () => Promise.reject(new Error('unavailable')));
    const after = writes.run('b', async () => void order.push('after'));
    await expect(failed).rejects.toThrow('unavailable');
    await after;
    expect(order).toEqual(['after']);
    void never;
  });

  it('do not wait long for one that is stalled', async () => {
    const writes = new StreamWrites();
    void writes.run('a', () => new Promise<void>(() => undefined));
    expect(await writes.run('a', () => Promise.resolve('written'))).toBe('written');
  });
});
