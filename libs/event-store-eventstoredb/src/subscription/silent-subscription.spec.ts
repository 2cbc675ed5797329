import { RecordingSubscriber } from '@tillstream/event-store-testing';
import { appendToNewStream, withServers, type FaultyServers } from '../faulty-server.fixture.js';
import { openNetworkProxy } from '../network-proxy.fixture.js';

const NOTICED_WITHIN_MS = 25_000;

/**
 * Nothing tells these subscriptions that they are dead: they have to find out, which takes them the seconds that a silence
 * may last. The tests wait side by side.
 */
describe('A subscription to an EventStoreDB that went silent', () => {
  it.concurrent('on its connection (live) is made anew and misses nothing', () => onItsConnection('live'));

  it.concurrent('on its connection (while it catches up) is made anew and misses nothing', () =>
    onItsConnection('catching up'),
  );

  it.concurrent(
    'though its connection lives is made anew and misses nothing',
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
    'for a while goes on when the server does',
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

const onItsConnection = (when: 'live' | 'catching up'): Promise<void> =>
  withServers(async (servers: FaultyServers) => {
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
  })();
