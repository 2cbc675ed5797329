import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { streamOfToken } from '@tillstream/domain';
import { positionFromNumber, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { type LoadedStream, createTokenRepository } from './repositories.js';
import { RecentStreams } from './recent-streams.js';
import { requireAnsweredToken, PaymentsTestSetup } from '../testing/payments.setup.js';

describe('a repository with recent streams', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  it('loads the whole stream, and reads only the events that any process appended since the last load', async () => {
    const { id } = await setup.storedCard();
    const stream = streamOfToken(id) ?? '';
    const read: (number | undefined)[] = [];
    const counting = new Proxy(setup.memory as EventStore, {
      get: (store, name: keyof EventStore) =>
        name !== 'readStream'
          ? store[name]
          : (...[of, options]: Parameters<EventStore['readStream']>) => {
              read.push(options?.from);
              return store.readStream(of, options);
            },
    });
    const here = createTokenRepository({ store: counting, clock: setup.clock });
    const whole = () => createTokenRepository({ store: setup.memory, clock: setup.clock }).load(stream);
    const { storedCards } = setup.useCases;
    const ends = [0];
    for (const change of [
      () => Promise.resolve(),
      () => storedCards.update(setup.context(), id, { cardExpDate: '0535' }).then(requireAnsweredToken),
      () => Promise.resolve(),
      () => storedCards.update(setup.context(), id, { description: 'Blue card' }).then(requireAnsweredToken),
      () => storedCards.remove(setup.context(), id).then(requireAnsweredToken),
    ]) {
      await change();
      const known = await here.load(stream);
      expect(known).toEqual(await whole());
      ends.push(known.history.length);
    }
    expect((await whole()).state).toMatchObject({ status: 'Removed' });
    // Each read starts where the previous one ended.
    expect(read).toEqual(ends.slice(0, -1));
    expect(new Set(ends).size).toBe(ends.length - 1);
  });
});

describe('RecentStreams', () => {
  const loaded = (stream: string, events: number): LoadedStream<string> => ({
    stream,
    history: Array.from({ length: events }, (_, revision): RecordedEvent => {
      const position = positionFromNumber(revision + 1);
      return { stream, revision, position, id: `${revision}`, type: 'T', data: {}, metadata: {} };
    }),
    state: stream,
  });

  it('drops the least recently used streams when all of them together have too many events', () => {
    const recent = new RecentStreams<string>({ eventsMax: 20 });
    recent.keep(loaded('a', 10));
    recent.keep(loaded('b', 10));
    recent.find('a');
    recent.keep(loaded('c', 5));
    expect(['a', 'b', 'c'].map((stream) => recent.find(stream)?.state)).toEqual(['a', undefined, 'c']);
  });

  it('keeps no stream that is too short or too long, and drops one that has become too long', () => {
    const recent = new RecentStreams<string>({ eventsMax: 50, historyMin: 3 });
    recent.keep(loaded('b', 2));
    expect(recent.find('b')).toBeUndefined();
    recent.keep(loaded('a', 50));
    expect(recent.find('a')?.history).toHaveLength(50);
    recent.keep(loaded('a', 51));
    expect(recent.find('a')).toBeUndefined();
  });
});
