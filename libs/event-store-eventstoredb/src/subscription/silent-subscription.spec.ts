import { RecordingSubscriber } from '@tillstream/event-store-testing';
import { appendToNewStream, withServers } from '../faulty-server.fixture.js';
import { openNetworkProxy } from '../network-proxy.fixture.js';

const NOTICED_WITHIN_MS = 25_000;

/** The store detects these dead subscriptions only by their silence, after seconds. The tests wait concurrently. */
describe('A subscription to a silent EventStoreDB', () => {
  it.concurrent.each(['live', 'catching up'] as const)(
    'on its connection (%s) continues on a new one and misses nothing',
    (when) =>
      withServers(async (servers) => {
        const { double, store: writer } = await servers.start();
        await writer.append(appendToNewStream(900));
        const line = await openNetworkProxy(double.port, when === 'live' ? Infinity : 100);
        servers.closeLater(() => line.close());
        const { store } = servers.open(`esdb://127.0.0.1:${line.port}?tls=false`, { deadlineMs: 1500 });
        const seen = new RecordingSubscriber();
        store.subscribeToAll({}, seen);
        if (when === 'live') await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
        else await seen.until(({ events }) => events.length > 100);
        line.cut();
        await writer.append(appendToNewStream(7));
        await seen.until(({ events }) => events.length === 907, NOTICED_WITHIN_MS);
        expect(seen.failures).toEqual([]);
      })(),
  );

  it.concurrent(
    'although its connection is alive continues on a new one and misses nothing',
    withServers(async (servers) => {
      const { double, store } = await servers.start();
      await store.append(appendToNewStream(10));
      double.inject({ kind: 'Silence' }, { call: 'subscribe' });
      const seen = new RecordingSubscriber();
      store.subscribeToAll({}, seen);
      await seen.until(
        ({ caughtUpCount, events }) => caughtUpCount === 1 && events.length === 10,
        NOTICED_WITHIN_MS,
      );
    }),
  );

  it.concurrent(
    'for a while continues when the server does',
    withServers(async (servers) => {
      const { double, store } = await servers.start({ deadlineMs: 1500 });
      const seen = new RecordingSubscriber();
      store.subscribeToAll({}, seen);
      await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
      double.freeze();
      setTimeout(() => double.thaw(), 7500);
      const append = appendToNewStream(5);
      while ((await store.append(append).catch(() => undefined)) === undefined);
      await seen.until(({ events }) => events.length === 5, NOTICED_WITHIN_MS);
    }),
  );
});
