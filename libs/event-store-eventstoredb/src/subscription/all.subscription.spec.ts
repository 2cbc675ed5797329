import type { Position, RecordedEvent } from '@tillstream/event-store';
import { readAllPages, RecordingSubscriber, numberedEvents } from '@tillstream/event-store-testing';
import type { EventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventStoreDbStore } from '../event-store-db.store.js';
import { FaultyServers, appendToNewStream, eventNumbers } from '../faulty-server.fixture.js';

describe('A subscription to EventStoreDB', () => {
  const servers = new FaultyServers();
  afterAll(() => servers.closeAll());

  it('handles every event once and in order, under random disconnects while 5,000 are written; no checkpoint runs ahead', async () => {
    const { double, store } = await servers.start();
    const checkpoints: { readonly checkpoint: Position; readonly handled: number }[] = [];
    const seen = new RecordingSubscriber();
    const checkpoint = seen.onCheckpoint.bind(seen);
    seen.onCheckpoint = (position) => {
      checkpoints.push({ checkpoint: position, handled: seen.events.length });
      checkpoint(position);
    };
    store.subscribeToAll({ categories: ['payment'] }, seen);
    let writing = true;
    const disconnects = disconnectAtRandom(double, () => writing);
    await Promise.all(Array.from({ length: 10 }, () => write(store, 50)));
    writing = false;
    const dropped = await disconnects;
    await seen.until(({ events }) => events.length >= 5000, 25_000);
    const all = await readAllPages(store, { categories: ['payment'] });
    expect(all).toHaveLength(5000);
    expect(seen.events.map(({ position }) => position)).toEqual(all.map(({ position }) => position));
    expect(dropped).toBeGreaterThan(5);
    let due = 0;
    for (const { checkpoint: position, handled } of checkpoints) {
      for (let next = all[due]; next && store.comparePositions(next.position, position) < 0; next = all[due])
        due += 1;
      expect(handled).toBeGreaterThanOrEqual(due);
    }
  });

  it.each([
    ['refused', { kind: 'Refuse', code: 13 }],
    ['denied access', { kind: 'Refuse', code: 7 }],
    ['not ready', { kind: 'NotReady' }],
    ['dropped at once', { kind: 'DropConnection' }],
    ['dropped in the middle', { kind: 'DropConnection', afterEvents: 7 }],
  ] as const)('that is %s is made again, several times if need be, and never fails', async (_name, fault) => {
    const { double, store, reports } = await servers.start();
    await store.append(appendToNewStream(20));
    double.inject(fault, { call: 'subscribe', times: 3 });
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
    await store.append(appendToNewStream(5));
    await seen.until(({ events }) => events.length === 25);
    expect(eventNumbers(seen.events)).toEqual(
      [...numberedEvents(20), ...numberedEvents(5)].map(({ data }) => data['number']),
    );
    expect(seen.failures).toEqual([]);
    expect(reports[0]).toMatch(/a subscription broke \(.*\) and continues on a new connection$/);
  });

  it.concurrent(
    'waits for a server that is down, with growing pauses, and continues when it is back',
    async () => {
      const { double, store, reports } = await servers.start();
      const seen = new RecordingSubscriber();
      store.subscribeToAll({}, seen);
      await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
      await double.stop();
      await pause(1000);
      await double.start();
      await store.append(appendToNewStream(3));
      await seen.until(({ events }) => events.length === 3);
      expect(reports.length).toBeLessThan(6);
    },
  );

  it('loses nothing in a burst after which the server drops it, and continues at once', async () => {
    const { store, reports } = await servers.start({}, { slowConsumerEvents: 100 });
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
    for (let round = 1; round <= 5; round++) {
      await store.append(appendToNewStream(1000));
      await seen.until(
        ({ events, caughtUpCount }) => events.length === 1000 * round && caughtUpCount > round,
      );
    }
    expect(eventNumbers(seen.events)).toEqual(Array.from({ length: 5000 }, (_, index) => index % 1000));
    expect(reports).toEqual([]);
  });

  it.concurrent(
    'reports that it has caught up also if the server never reports it, and only then',
    async () => {
      const { store } = await servers.start({}, { sendsCaughtUp: false });
      for (let round = 0; round < 4; round++) await store.append(appendToNewStream(400));
      await store.append(appendToNewStream(1100, 'token'));
      const handled: number[] = [];
      const seen = new RecordingSubscriber(({ revision }) => (revision % 100 === 0 ? pause(20) : undefined));
      seen.onCaughtUp = () => {
        handled.push(seen.events.length);
        seen.caughtUpCount += 1;
      };
      const quiet = new RecordingSubscriber();
      store.subscribeToAll({ categories: ['payment'] }, seen);
      store.subscribeToAll({ categories: ['nothing'] }, quiet);
      await Promise.all([quiet.until(({ caughtUpCount }) => caughtUpCount === 1), pause(3000)]);
      expect(handled).toEqual([1600]);
      await store.append(appendToNewStream(2));
      await seen.until(({ events }) => events.length === 1602);
      expect([seen.caughtUpCount, quiet.events]).toEqual([1, []]);
    },
  );

  it.concurrent(
    'moves the checkpoint over events that do not pass the filter, at most once a second, up to the end of the log',
    async () => {
      const { store } = await servers.start();
      for (let round = 0; round < 6; round++) await store.append(appendToNewStream(1000, 'token'));
      const seen = new RecordingSubscriber();
      const begin = performance.now();
      store.subscribeToAll({ categories: ['payment'] }, seen);
      await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
      expect(seen.checkpoints.length).toBeLessThanOrEqual(2 + (performance.now() - begin) / 1000);
      const last = (await store.readAll({ after: await lastPosition(store) })).next as Position;
      await seen.until(({ checkpoints }) => checkpoints.at(-1) === last);
      // Also live: a restart must not scan these events again.
      for (let round = 0; round < 3; round++) await store.append(appendToNewStream(400, 'token'));
      await seen.until(({ checkpoints }) => store.comparePositions(checkpoints.at(-1) ?? last, last) > 0);
      expect(seen.events).toEqual([]);
    },
  );

  it('handles one event at a time while others continue: a subscriber that hangs blocks no call', async () => {
    const { store } = await servers.start();
    let release: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => (release = resolve));
    const slow = new RecordingSubscriber(() => blocked);
    store.subscribeToAll({}, slow);
    await slow.until(({ caughtUpCount }) => caughtUpCount === 1);
    const large = appendToNewStream();
    const text = 'x'.repeat(500_000);
    for (let round = 0; round < 8; round++) {
      const events = numberedEvents(1).map((event) => ({ ...event, data: { text } }));
      await store.append({ ...large, expected: 'any', events });
    }
    expect((await store.readStream(large.stream)).events).toHaveLength(8);
    expect(slow.events).toHaveLength(0);
    release();
    await slow.until(({ events }) => events.length === 8);
  });

  it('stops at any moment: before it has begun, while it connects, in a pause, while it handles an event', async () => {
    const { double, store } = await servers.start();
    await store.append(appendToNewStream(10));
    const slow = new RecordingSubscriber(() => pause(50));
    const [unborn, connecting, pausing, busy] = [store, store, store, store].map((one, index) => {
      if (index === 1) double.inject({ kind: 'Silence' }, { call: 'read', stream: '$all' });
      if (index === 2) double.inject({ kind: 'NotReady' }, { call: 'subscribe', times: 1000 });
      return one.subscribeToAll({}, slow);
    });
    await unborn?.stop();
    await pause(100);
    await connecting?.stop();
    await pause(200);
    await pausing?.stop();
    double.clearFaults();
    await busy?.stop();
    const again = store.subscribeToAll({}, slow);
    await slow.until(({ events }) => events.length === 1);
    await again.stop();
    const count = slow.events.length;
    await pause(150);
    expect([slow.events.length, slow.failures]).toEqual([count, []]);
  });

  it('with an invalid position or an empty buffer fails with the reason', async () => {
    const { store } = await servers.start();
    for (const wrong of [{ after: '12' as Position }, { buffer: 0 }]) {
      const seen = new RecordingSubscriber();
      store.subscribeToAll(wrong, seen);
      await seen.until(({ failures }) => failures.length === 1);
      expect(seen.failures).toMatchObject([{ code: 'Invalid' }]);
    }
    await store.close();
    const late = new RecordingSubscriber();
    const subscription = store.subscribeToAll({}, late);
    expect(late.failures).toEqual([]);
    await subscription.stop();
    expect(late.failures).toMatchObject([{ code: 'Unavailable' }]);
  });
});

async function write(store: EventStoreDbStore, appends: number): Promise<void> {
  for (let count = 0; count < appends; count++) {
    const append = appendToNewStream(10);
    for (;;) {
      const result = await store.append(append).catch(() => undefined);
      if (result?.kind === 'Conflict')
        throw new Error('an append of its own stream, repeated, must not conflict');
      if (result !== undefined) break;
      await pause(5);
    }
  }
}

async function disconnectAtRandom(double: EventStoreDbDouble, goesOn: () => boolean): Promise<number> {
  let dropped = 0;
  for (; goesOn(); dropped++) {
    const afterEvents = Math.floor(Math.random() * 400);
    if (Math.random() < 0.5) double.inject({ kind: 'DropConnection', afterEvents }, { call: 'subscribe' });
    else double.dropConnections();
    await pause(20 + Math.random() * 80);
  }
  double.clearFaults();
  return dropped;
}

async function lastPosition(store: EventStoreDbStore): Promise<Position> {
  const events: RecordedEvent[] = await readAllPages(store);
  return events.at(-1)?.position as Position;
}
