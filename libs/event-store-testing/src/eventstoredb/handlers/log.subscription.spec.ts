import { excludeSystemEvents, eventTypeFilter, streamNameFilter, type Position } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { aDoubleWithClient, readAll, numberedJsonEvents, until } from '../double.fixture.js';
import { recorded } from '../recorded-subscription.fixture.js';
import { aRawStreams, pausedSubscription } from '../raw-client.fixture.js';

describe('a subscription to all', () => {
  it('sends a confirmation, history, one `caughtUp`, and then each append', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(2));
    const seen = recorded(client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['s'] }) }));
    await until(() => seen.signs.includes('caughtUp'));
    await client.appendToStream('s', numberedJsonEvents(2));
    await client.appendToStream('s', numberedJsonEvents(1));
    await until(() => seen.revisions.length === 5);
    expect(seen.revisions).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect(seen.signs).toEqual(['confirmation', 'caughtUp']);
    expect(seen.errors).toEqual([]);
  });

  it('starts after the given position, and at the end sends only new events', async () => {
    const { client } = await aDoubleWithClient();
    const { position } = await client.appendToStream('s', numberedJsonEvents(1));
    await client.appendToStream('s', numberedJsonEvents(1));
    const after = recorded(client.subscribeToAll({ fromPosition: position ?? 'start' }));
    const atEnd = recorded(client.subscribeToAll({ fromPosition: 'end' }));
    await until(() => [after, atEnd].every(({ signs }) => signs.includes('caughtUp')));
    await client.appendToStream('s', numberedJsonEvents(1));
    await until(() => after.revisions.length === 2 && atEnd.revisions.length === 1);
    expect([after.revisions, atEnd.revisions]).toEqual([[1n, 2n], [2n]]);
  });

  it('may deliver an event before its append is answered', async () => {
    const { client } = await aDoubleWithClient();
    const order: string[] = [];
    const seen = recorded(client.subscribeToAll({ fromPosition: 'end' }), () => order.push('event'));
    await until(() => seen.signs.includes('caughtUp'));
    for (let round = 0; round < 20; round++) {
      await client.appendToStream('s', numberedJsonEvents(1));
      order.push('answer');
    }
    await until(() => seen.revisions.length === 20);
    expect(order.indexOf('event')).toBeLessThan(order.indexOf('answer'));
  });

  it.each([
    ['stream prefixes', streamNameFilter({ prefixes: ['a-', 'c-'] }), ['a-1', 'c-1']],
    ['a stream regex', streamNameFilter({ regex: '^(b|c)-' }), ['b-1', 'c-1']],
    ['type prefixes', eventTypeFilter({ prefixes: ['Of-b'] }), ['b-1']],
    ['a type regex', eventTypeFilter({ regex: '-[ab]$' }), ['a-1', 'b-1']],
    ['no system events', excludeSystemEvents(), ['a-1', 'b-1', 'c-1']],
  ])('filtered by %s sends only these, of history and live', async (_, filter, streams) => {
    const { client } = await aDoubleWithClient({ eventsPerSystemEvent: 2 });
    const names = ['a', 'b', 'c'];
    for (const name of names) await client.appendToStream(`${name}-1`, numberedJsonEvents(1, `Of-${name}`));
    const seen = recorded(client.subscribeToAll({ filter }));
    await until(() => seen.signs.includes('caughtUp'));
    expect(seen.streams).toEqual(streams);
    for (const name of names) await client.appendToStream(`${name}-1`, numberedJsonEvents(1, `Of-${name}`));
    await until(() => seen.streams.length === 2 * streams.length);
    expect(seen.streams.slice(streams.length)).toEqual(streams);
  });

  it('checkpoints in catch-up every window x interval events, where a new subscription continues', async () => {
    const { client } = await aDoubleWithClient({ eventsPerSystemEvent: Infinity });
    await client.appendToStream('noise', numberedJsonEvents(20));
    await client.appendToStream('s', numberedJsonEvents(1));
    await client.appendToStream('noise', numberedJsonEvents(6));
    const checkpoints: Position[] = [];
    const filter = (reached: Position[]) =>
      streamNameFilter({
        prefixes: ['s'],
        maxSearchWindow: 5,
        checkpointInterval: 2,
        checkpointReached: async (_, position) => void reached.push(position),
      });
    const first = recorded(client.subscribeToAll({ filter: filter(checkpoints) }));
    await until(() => first.signs.includes('caughtUp'));
    const positions = (await readAll(client.readAll())).map(({ position }) => position?.commit);
    expect(positions).toHaveLength(30);
    expect(checkpoints.slice(0, 2)).toEqual([
      { commit: positions[10], prepare: 0n },
      { commit: positions[20], prepare: 0n },
    ]);
    for (const [place, expected] of [
      [checkpoints[1], [0n]],
      [{ commit: positions[23] ?? 0n, prepare: 0n }, [0n]],
      [{ commit: positions[23] ?? 0n, prepare: positions[23] ?? 0n }, []],
    ] as const) {
      const again = recorded(client.subscribeToAll({ fromPosition: place ?? 'start', filter: filter([]) }));
      await until(() => again.signs.includes('caughtUp'));
      expect(again.revisions).toEqual(expected);
    }
  });

  it('sends no checkpoint when it has caught up, and live ones at the last scanned event', async () => {
    const { client } = await aDoubleWithClient({ eventsPerSystemEvent: Infinity });
    const checkpoints: Position[] = [];
    const checkpointReached = async (_: unknown, position: Position) => void checkpoints.push(position);
    const filter = streamNameFilter({ prefixes: ['s'], maxSearchWindow: 4, checkpointReached });
    const seen = recorded(client.subscribeToAll({ filter }));
    await until(() => seen.signs.includes('caughtUp'));
    expect(checkpoints).toEqual([]);
    const { position } = await client.appendToStream('noise', numberedJsonEvents(4));
    await until(() => checkpoints.length === 1);
    expect(checkpoints).toEqual([position]);
  });

  it('of a server before 23.10 never reports that it has caught up', async () => {
    const { client } = await aDoubleWithClient({ sendsCaughtUp: false });
    const seen = recorded(client.subscribeToAll());
    await client.appendToStream('s', numberedJsonEvents(1));
    await until(() => seen.revisions.length === 1);
    await sleep(50);
    expect(seen.signs).toEqual(['confirmation']);
  });

  it('to a stream sends only its events, after the revision', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(3));
    await client.appendToStream('other', numberedJsonEvents(3));
    const seen = recorded(client.subscribeToStream('s', { fromRevision: 0n }));
    await client.appendToStream('s', numberedJsonEvents(1));
    await until(() => seen.revisions.length === 3);
    expect(seen.revisions).toEqual([1n, 2n, 3n]);
  });

  it('sends a long history in order and without a gap while others append', async () => {
    const { client } = await aDoubleWithClient();
    for (let round = 0; round < 10; round++) await client.appendToStream('s', numberedJsonEvents(1_000));
    const seen = recorded(client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['s'] }) }));
    for (let round = 0; round < 100; round++) await client.appendToStream('s', numberedJsonEvents(2));
    await until(() => seen.revisions.length === 10_200);
    expect(seen.revisions).toEqual(Array.from({ length: 10_200 }, (_, revision) => BigInt(revision)));
  });
});

describe('a live subscriber', () => {
  it('is dropped by one append of 1,000 events, and by none of 200', async () => {
    const { client } = await aDoubleWithClient();
    const seen = recorded(client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['other'] }) }));
    await until(() => seen.signs.includes('caughtUp'));
    for (let round = 0; round < 5; round++) await client.appendToStream('s', numberedJsonEvents(200));
    await sleep(50);
    expect(seen.errors).toEqual([]);
    await client.appendToStream('s', numberedJsonEvents(1_000));
    await until(() => seen.errors.length > 0);
    expect(seen.errors[0]).toMatchObject({ type: 'timeout', code: 10 });
    expect(seen.errors[0]?.message).toContain(
      'Consumer too slow to handle event while live. Client resubscription required.',
    );
  });

  it('that does not read is dropped, and until then the server keeps no unread events in memory', async () => {
    const { client, double } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    const streams = aRawStreams(double.url);
    const subscription = await pausedSubscription(streams);
    const large = () =>
      numberedJsonEvents(50).map((event) => ({ ...event, data: { text: 'x'.repeat(10_000) } }));
    for (let round = 0; round < 30; round++) await client.appendToStream('s', large());
    const error = await subscription.readToEnd();
    expect(error).toMatchObject({ code: 10 });
    expect(subscription.messages()).toBeLessThan(600);
    streams.close();
  });

  it('is not dropped by a server without this limit', async () => {
    const { client } = await aDoubleWithClient({ slowConsumerEvents: Infinity });
    const seen = recorded(client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['s'] }) }));
    await until(() => seen.signs.includes('caughtUp'));
    await client.appendToStream('s', numberedJsonEvents(3_000));
    await until(() => seen.revisions.length === 3_000);
    expect(seen.errors).toEqual([]);
  });
});
