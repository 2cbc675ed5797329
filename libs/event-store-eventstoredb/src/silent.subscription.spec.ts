import { RecordingSubscriber } from '@tillstream/event-store-testing';
import { FaultyServers, newStream } from './faulty-server.fixture.js';
import { openLine } from './network.line.fixture.js';

/** Nothing tells these subscriptions that they are dead: they have to find out. */
describe('A subscription to an EventStoreDB that went silent', () => {
  const servers = new FaultyServers();
  afterEach(() => servers.closeAll());

  it.each(['live', 'while it catches up'])(
    'on its connection (%s) is made anew and misses nothing',
    async (when) => {
      const { double, store: writer } = await servers.start();
      await writer.append(newStream(900));
      const line = await openLine(double.port, when === 'live' ? Infinity : 100);
      servers.closeLater(() => line.close());
      const { store } = servers.open(`esdb://127.0.0.1:${line.port}?tls=false`, { deadlineMs: 1000 });
      const seen = new RecordingSubscriber();
      store.subscribeToAll({}, seen);
      if (when === 'live') await seen.until(({ caughtUps }) => caughtUps === 1);
      else await seen.until(({ events }) => events.length > 100);
      line.cut();
      await writer.append(newStream(7));
      await seen.until(({ events }) => events.length === 907, 15_000);
      expect(seen.failures).toEqual([]);
    },
  );

  it('though its connection lives is made anew and misses nothing', async () => {
    const { double, store } = await servers.start();
    await store.append(newStream(10));
    double.inject({ kind: 'Silence' }, { call: 'subscribe' });
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUps, events }) => caughtUps === 1 && events.length === 10, 15_000);
  });

  it('for a while goes on when the server does', async () => {
    const { double, store } = await servers.start({ deadlineMs: 1000 });
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUps }) => caughtUps === 1);
    double.freeze();
    setTimeout(() => double.thaw(), 7500);
    const append = newStream(5);
    while ((await store.append(append).catch(() => undefined)) === undefined);
    await seen.until(({ events }) => events.length === 5, 15_000);
  });
});
