import { EventStoreDBClient, jsonEvent, binaryEvent } from '@eventstore/db-client';
import type { Position, ReadAllOptions, RecordedEvent } from '@tillstream/event-store';
import { readAllPages, RecordingSubscriber, numberedEvents } from '@tillstream/event-store-testing';
import type { EventStoreDbStore } from '../event-store-db.store.js';
import { FaultyServers, appendToNewStream, elapsedMs } from '../faulty-server.fixture.js';
import { openNetworkProxy } from '../network-proxy.fixture.js';

describe('A read from EventStoreDB', () => {
  const servers = new FaultyServers();
  afterEach(() => servers.closeAll());

  it('of a stream or of a page of the whole store uses the leader', async () => {
    const { double, store } = await servers.start();
    const append = appendToNewStream();
    await store.append(append);
    await store.readStream(append.stream);
    await store.readAll();
    expect(double.calls.map(({ requiresLeader }) => requiresLeader)).toEqual(double.calls.map(() => true));
  });

  it('of the whole store continues after any event and after any checkpoint, and misses nothing', async () => {
    const { store } = await servers.start();
    for (let round = 0; round < 25; round++) {
      await store.append(appendToNewStream(60));
      await store.append(appendToNewStream(1, 'token'));
    }
    const quiet = new RecordingSubscriber();
    store.subscribeToAll({ categories: ['nothing'] }, quiet);
    await quiet.until(({ caughtUpCount }) => caughtUpCount === 1);
    const all = await readAllPages(store, {});
    const tokens = all.filter(({ stream }) => stream.startsWith('token-'));
    expect([all.length, tokens.length]).toEqual([25 * 61, 25]);
    expect(quiet.checkpoints.some((position) => position.endsWith('/0'))).toBe(true);
    const places = [
      ...quiet.checkpoints,
      ...tokens.map(({ position }) => position).filter((_, n) => n % 3 === 0),
    ];
    for (const after of places) {
      const left = (events: RecordedEvent[]) =>
        events.filter(({ position }) => store.comparePositions(position, after) > 0);
      expect(await readAllPages(store, { after, limit: 300 })).toEqual(left(all));
      expect(await readAllPages(store, { after, categories: ['token'], limit: 7 })).toEqual(left(tokens));
    }
  });

  it('of the whole store returns full pages, reports the end exactly, and reads nothing after it', async () => {
    const { double, store } = await servers.start({}, { eventsPerSystemEvent: Infinity });
    await store.append(appendToNewStream(20));
    const [first, second] = await pages(store, { limit: 10 }, 2);
    expect([first?.events.length, first?.end]).toEqual([10, false]);
    expect([second?.events.length, second?.end]).toEqual([10, true]);
    const subscriptions = () => double.calls.filter(({ call }) => call === 'subscribe').length;
    const before = subscriptions();
    const after = second?.next as Position;
    expect(await store.readAll({ after })).toEqual({ events: [], next: after, end: true });
    expect(subscriptions()).toBe(before);
  });

  it('of the whole store ends also if the server never reports the end of the events', async () => {
    const { store } = await servers.start({}, { sendsCaughtUp: false });
    await store.append(appendToNewStream(30));
    await store.append(appendToNewStream(600, 'token'));
    for (const categories of [['payment'], ['token'], ['nothing'], undefined]) {
      const reading = readAllPages(store, categories === undefined ? {} : { categories });
      // It does not wait for its deadline of five seconds.
      expect(await elapsedMs(reading)).toBeLessThan(4500);
      const expected = { payment: 30, token: 600, nothing: 0 }[categories?.[0] ?? ''] ?? 630;
      expect(await reading).toHaveLength(expected);
    }
  });

  it('with a category whose name begins another one returns only its own events, also of streams without a dash', async () => {
    const { store } = await servers.start();
    await store.append({ ...appendToNewStream(), stream: 'refundlimit-1' });
    await store.append({ ...appendToNewStream(), stream: 'refund-1' });
    await store.append({ ...appendToNewStream(), stream: 'refund' });
    const streams = (await store.readAll({ categories: ['refund'] })).events.map(({ stream }) => stream);
    expect(streams).toEqual(['refund-1', 'refund']);
    expect((await store.readAll({ categories: [] })).events).toEqual([]);
  });

  it('never returns an event of the server itself', async () => {
    const { double, store } = await servers.start({}, { eventsPerSystemEvent: 1 });
    for (let round = 0; round < 10; round++) await store.append(appendToNewStream());
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
    expect(double.eventCount).toBeGreaterThan(19);
    expect(await readAllPages(store, { limit: 3 })).toHaveLength(10);
    expect(seen.events).toHaveLength(10);
  });

  it('of the whole store returns by its deadline the events that have arrived, and the next page continues there', async () => {
    const { double, store } = await servers.start();
    for (let round = 0; round < 4; round++) await store.append(appendToNewStream(200));
    const line = await openNetworkProxy(double.port, 200);
    servers.closeLater(() => line.close());
    const slow = servers.open(`esdb://127.0.0.1:${line.port}?tls=false`, { deadlineMs: 600 }).store;
    const page = await slow.readAll();
    expect(page.end).toBe(false);
    expect(page.events.length).toBeGreaterThan(0);
    expect(page.next).toBe(page.events.at(-1)?.position);
    const all = [...page.events, ...(await readAllPages(slow, { after: page.next as Position }))];
    expect(all).toEqual(await readAllPages(store));
  });

  it('of events that another program wrote without JSON is Invalid, and names the event', async () => {
    const { double, store } = await servers.start();
    const driver = EventStoreDBClient.connectionString(double.url);
    await driver.appendToStream('other-1', [jsonEvent({ type: 'Text', data: 'no object' })]);
    await driver.appendToStream('other-2', [binaryEvent({ type: 'Bytes', data: Buffer.from('{}') })]);
    await driver.appendToStream('other-3', [jsonEvent({ type: 'Bare', data: {} })]);
    await driver.dispose();
    for (const stream of ['other-1', 'other-2']) {
      await expect(store.readStream(stream)).rejects.toMatchObject({
        code: 'Invalid',
        message: expect.stringContaining(`(${stream}, revision 0)`),
      });
    }
    await expect(store.readAll()).rejects.toMatchObject({ code: 'Invalid' });
    expect((await store.readStream('other-3')).events).toMatchObject([{ data: {}, metadata: {} }]);
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ failures }) => failures.length === 1);
  });

  it('of a stream that was deleted for good is Invalid; of a deleted stream, an empty page', async () => {
    const { double, store } = await servers.start();
    const [gone, hidden] = [appendToNewStream(2), appendToNewStream(2)];
    await store.append(gone);
    await store.append(hidden);
    const driver = EventStoreDBClient.connectionString(double.url);
    await driver.tombstoneStream(gone.stream);
    await driver.deleteStream(hidden.stream);
    await driver.dispose();
    const deleted = { code: 'Invalid', message: expect.stringContaining('deleted') };
    await expect(store.readStream(gone.stream)).rejects.toMatchObject(deleted);
    await expect(store.append({ ...gone, expected: 1, events: numberedEvents(1) })).rejects.toMatchObject(
      deleted,
    );
    expect(await store.readStream(hidden.stream)).toEqual({ events: [], end: true });
  });

  it('of a position of another store is Invalid', async () => {
    const { store } = await servers.start();
    await expect(store.readAll({ after: '17' as Position })).rejects.toMatchObject({ code: 'Invalid' });
    expect(() => store.comparePositions('1' as Position, '2/2' as Position)).toThrow(
      expect.objectContaining({ code: 'Invalid' }),
    );
  });
});

async function pages(store: EventStoreDbStore, options: ReadAllOptions, count: number) {
  const read = [await store.readAll(options)];
  while (read.length < count)
    read.push(await store.readAll({ ...options, after: read.at(-1)?.next as Position }));
  return read;
}
