import { RecordingSubscriber } from '@tillstream/event-store-testing';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultyServers, appendToNewStream } from './faulty-server.fixture.js';
import { openNetworkProxy } from './network-proxy.fixture.js';

describe('A store over EventStoreDB', () => {
  const servers = new FaultyServers();
  afterEach(() => servers.closeAll());

  it('reports whether an append would succeed now: not while no server answers, and again when one does; it writes nothing', async () => {
    const { double, store } = await servers.start({ deadlineMs: 1000 });
    expect(await store.health()).toEqual({ writable: true });
    double.inject({ kind: 'NotReady' }, { call: 'read' });
    expect(await store.health()).toEqual({
      writable: false,
      reason: expect.stringMatching(/Server Is Not Ready/),
    });
    expect(await store.health()).toEqual({ writable: true });
    double.freeze();
    expect(await store.health()).toEqual({
      writable: false,
      reason: expect.stringMatching(/within 1000 ms/),
    });
    double.thaw();
    expect(await store.health()).toEqual({ writable: true });
    await double.stop();
    expect(await store.health()).toEqual({ writable: false, reason: expect.stringMatching(/ECONNREFUSED/) });
    expect(double.eventCount).toBe((await restarted()).eventCount);

    async function restarted() {
      await double.start();
      expect(await store.health()).toEqual({ writable: true });
      return double;
    }
  });

  it('is not writable for a second after a lost append, although reads succeed', async () => {
    const { double, store } = await servers.start({ deadlineMs: 800 });
    double.inject({ kind: 'LoseAnswer', then: 'silence' }, { call: 'batchAppend' });
    const append = appendToNewStream();
    await expect(store.append(append)).rejects.toMatchObject({ code: 'Unknown' });
    expect(await store.health()).toEqual({
      writable: false,
      reason: expect.stringMatching(/append was written/),
    });
    await store.append(append);
    expect(await store.health()).toEqual({ writable: true });
  });

  it('reports within 2 s that it is not writable', async () => {
    const { double, store } = await servers.start({ deadlineMs: 60_000 });
    await store.append(appendToNewStream());
    double.freeze();
    const begin = performance.now();
    expect((await store.health()).writable).toBe(false);
    // The deadline of a call is a minute here.
    expect(performance.now() - begin).toBeLessThan(15_000);
  });

  it('when closed lets calls in flight finish, ends subscriptions, and then rejects with Unavailable', async () => {
    const { double, store } = await servers.start();
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    double.inject({ kind: 'Delay', ms: 200 }, { call: 'batchAppend' });
    const appended = store.append(appendToNewStream());
    const closing = store.close();
    await expect(store.append(appendToNewStream())).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(store.readAll()).rejects.toMatchObject({ code: 'Unavailable' });
    expect((await store.health()).writable).toBe(false);
    expect(await appended).toMatchObject({ kind: 'Appended' });
    await closing;
    await store.close();
    expect(seen.failures).toEqual([]);
  });

  it('when closed leaves no connection, timer or listener, also after faults', async () => {
    const { double } = await servers.start();
    const line = await openNetworkProxy(double.port);
    servers.closeLater(() => line.close());
    const before = timers();
    const listeners = process.listenerCount('exit') + process.listenerCount('unhandledRejection');
    for (let round = 0; round < 3; round++) {
      const { store } = servers.open(`esdb://127.0.0.1:${line.port}?tls=false`, { deadlineMs: 800 });
      store.subscribeToAll({}, new RecordingSubscriber());
      store.subscribeToAll({}, new RecordingSubscriber());
      for (const call of ['batchAppend', 'read', 'subscribe'] as const)
        double.inject({ kind: 'Silence' }, { call });
      await Promise.allSettled([
        store.append(appendToNewStream()),
        store.readStream('payment-1'),
        store.readAll(),
      ]);
      double.clearFaults();
      await store.append(appendToNewStream());
      expect(line.connections).toBeGreaterThan(1);
      if (round === 1) double.dropConnections();
      if (round === 2) line.cut();
      await store.close();
    }
    await until(() => line.connections === 0 && timers() <= before);
    expect(line.connections).toBe(0);
    expect(timers()).toBeLessThanOrEqual(before);
    expect(process.listenerCount('exit') + process.listenerCount('unhandledRejection')).toBe(listeners);
  });

  it('keeps as many connections as it needs: one, and one per subscription, also after many of them broke', async () => {
    const { double } = await servers.start();
    const line = await openNetworkProxy(double.port);
    servers.closeLater(() => line.close());
    const { store } = servers.open(`esdb://127.0.0.1:${line.port}?tls=false`, { deadlineMs: 600 });
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
    for (let round = 0; round < 5; round++) {
      double.inject({ kind: 'Silence' }, { call: 'batchAppend' });
      await expect(store.append(appendToNewStream())).rejects.toMatchObject({ code: 'Unknown' });
      double.inject({ kind: 'Silence' }, { call: 'read' });
      await expect(store.readStream('payment-1')).rejects.toMatchObject({ code: 'Unavailable' });
    }
    await store.append(appendToNewStream());
    await until(() => line.connections === 2);
    expect(line.connections).toBe(2);
  });
});

/** Ends after ten seconds at the latest; then the test fails with its own message. */
async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 10_000; !isSo() && performance.now() < end;) await pause(20);
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}
