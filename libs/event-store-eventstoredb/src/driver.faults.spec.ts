import { readWholeStream } from '@tillstream/event-store';
import { RecordingSubscriber, numberedEvents } from '@tillstream/event-store-testing';
import { setTimeout as pause } from 'node:timers/promises';
import {
  waitUntilConnected,
  FaultyServers,
  appendToNewStream,
  eventNumbers,
  elapsedMs,
} from './faulty-server.fixture.js';
import { openNetworkProxy } from './network-proxy.fixture.js';

/** Faults of the driver, version 6.2.1, that the store corrects. */
describe('If the driver fails, the store', () => {
  const servers = new FaultyServers();
  afterAll(() => servers.closeAll());

  // Tests that wait for deadlines run concurrently. The deadlines are long, so that a busy machine keeps the order.
  it.concurrent(
    'abandons a call to a silent server within the deadline, and continues when the server does',
    async () => {
      const { double, store } = await servers.start({ deadlineMs: 1500 });
      await waitUntilConnected(store);
      double.freeze();
      const append = appendToNewStream();
      const calls = [store.append(append), store.readStream(append.stream), store.readAll()];
      const took = Promise.all(calls.map(elapsedMs));
      await expect(calls[0]).rejects.toMatchObject({ code: 'Unknown' });
      await expect(calls[1]).rejects.toMatchObject({ code: 'Unavailable' });
      await expect(calls[2]).rejects.toMatchObject({ code: 'Unavailable' });
      // Without this option a call has five seconds.
      expect(Math.max(...(await took))).toBeLessThan(4500);
      double.thaw();
      expect(await store.append(append)).toMatchObject({ kind: 'Appended', revision: 0 });
      expect(await readWholeStream(store, append.stream)).toHaveLength(1);
    },
  );

  it.concurrent(
    'makes a new connection after a call without an answer, although the old one stays open, silent and in use',
    async () => {
      const { double } = await servers.start();
      const line = await openNetworkProxy(double.port);
      servers.closeLater(() => line.close());
      const { store } = servers.open(`esdb://127.0.0.1:${line.port}?tls=false`, { deadlineMs: 2000 });
      await waitUntilConnected(store);
      line.cut();
      const [append, later] = [appendToNewStream(), appendToNewStream()];
      const first = store.append(append);
      await pause(500);
      // Still waits on the old connection when the store abandons the first.
      const second = store.append(later);
      await expect(first).rejects.toMatchObject({ code: 'Unknown' });
      expect(await store.append(append)).toMatchObject({ kind: 'Appended' });
      await expect(second).rejects.toMatchObject({ code: 'Unknown' });
    },
  );

  it.concurrent('lets calls beside a slow one finish on their connection', async () => {
    const { double, store } = await servers.start({ deadlineMs: 2000 });
    const [slow, neighbour] = [appendToNewStream(), appendToNewStream()];
    double.inject({ kind: 'Silence' }, { call: 'batchAppend', stream: slow.stream });
    double.inject({ kind: 'Delay', ms: 1400 }, { call: 'batchAppend', stream: neighbour.stream });
    const given = store.append(slow);
    await pause(1000);
    const beside = store.append(neighbour);
    await expect(given).rejects.toMatchObject({ code: 'Unknown' });
    expect(await beside).toMatchObject({ kind: 'Appended' });
  });

  it('is not affected when the server of another store in the process dies under load', async () => {
    const healthy = await servers.start();
    const dying = await servers.start({ deadlineMs: 500 });
    const load = (store: typeof healthy.store, count: number) =>
      Promise.allSettled(Array.from({ length: count }, () => store.append(appendToNewStream(2))));
    await load(dying.store, 5);
    const healthyLoad = Promise.all(Array.from({ length: 4 }, () => load(healthy.store, 50)));
    const dyingLoad = load(dying.store, 50);
    await dying.double.stop();
    const lost = (await dyingLoad).filter(({ status }) => status === 'rejected');
    expect(lost.length).toBeGreaterThan(0);
    const outcomes = (await healthyLoad).flat();
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(200);
    expect((await load(healthy.store, 20)).every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('repeats a read whose connection broke, with all of its page', async () => {
    const { double, store } = await servers.start();
    const append = appendToNewStream(50);
    await store.append(append);
    double.inject(
      { kind: 'DropConnection', afterEvents: 20 },
      { call: 'read', stream: append.stream, times: 2 },
    );
    const numbers = numberedEvents(50).map(({ data }) => data['number']);
    expect(eventNumbers((await store.readStream(append.stream)).events)).toEqual(numbers);
    double.inject({ kind: 'DropConnection', afterEvents: 20 }, { call: 'subscribe' });
    expect(eventNumbers((await store.readAll()).events)).toEqual(numbers);
    double.inject({ kind: 'DropConnection' }, { call: 'read', times: 3 });
    await expect(store.readStream(append.stream)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('continues operations and subscriptions by itself after every connection was dropped', async () => {
    const { double, store } = await servers.start();
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
    for (let round = 1; round <= 5; round++) {
      double.dropConnections();
      const append = appendToNewStream(3);
      await store.append(append).catch(() => store.append(append));
      await seen.until(({ events }) => events.length === 3 * round);
    }
    expect(eventNumbers(seen.events)).toEqual(Array.from({ length: 5 }, () => [0, 1, 2]).flat());
    expect(seen.failures).toEqual([]);
  });

  it.concurrent('handles late errors, so that none of them ends the process', async () => {
    const { double, store } = await servers.start({ deadlineMs: 200 });
    const kinds = ['batchAppend', 'read', 'subscribe'] as const;
    for (const call of kinds) {
      double.inject({ kind: 'Delay', ms: 300 }, { call });
      double.inject({ kind: 'Silence' }, { call });
    }
    const append = appendToNewStream();
    await Promise.allSettled([store.append(append), store.readStream(append.stream), store.readAll()]);
    await Promise.allSettled([store.append(append), store.readStream(append.stream), store.readAll()]);
    double.dropConnections();
    await double.stop();
    await pause(300);
    await expect(store.append(append)).rejects.toMatchObject({ code: expect.stringMatching(/^Un/) });
  });
});
