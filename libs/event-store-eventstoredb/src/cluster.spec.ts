import { readWholeStream, transact } from '@tillstream/event-store';
import { numberedEvent, readAllPages, RecordingSubscriber } from '@tillstream/event-store-testing';
import {
  startEventStoreDbCluster,
  type EventStoreDbDoubleCluster,
} from '@tillstream/event-store-testing/eventstoredb';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultyServers, appendToNewStream } from './faulty-server.fixture.js';

describe('A cluster of EventStoreDB', () => {
  const servers = new FaultyServers();
  afterAll(() => servers.closeAll());

  const start = async (options: Parameters<typeof startEventStoreDbCluster>[1] = {}) => {
    const cluster = await startEventStoreDbCluster(3, options);
    servers.closeLater(() => cluster.close());
    return { cluster, ...servers.open(cluster.url, { deadlineMs: 3000 }) };
  };

  it('is appended to and read at its leader: an acknowledged append is read at once, also if followers lag', async () => {
    const { cluster, store } = await start({ lagMs: 500 });
    for (let round = 0; round < 20; round++) {
      const append = appendToNewStream();
      await store.append(append);
      expect((await store.readStream(append.stream)).events).toHaveLength(1);
    }
    expect(await readAllPages(store)).toHaveLength(20);
    expect(callsOf(cluster).filter(({ node }) => node !== 0)).toEqual([]);
  });

  it.each(['append', 'readStream'] as const)('continues at the new leader at once: %s', async (what) => {
    const { cluster, store } = await start();
    const append = appendToNewStream();
    await store.append(append);
    for (const leader of [1, 2, 0]) {
      cluster.electLeader(leader);
      if (what === 'append')
        expect(await store.append(appendToNewStream())).toMatchObject({ kind: 'Appended' });
      else expect((await store.readStream(append.stream)).events).toHaveLength(1);
      expect(callsOf(cluster).at(-1)).toMatchObject({ node: leader, requiresLeader: true });
    }
  });

  it.each(['esdb', 'esdb+discover'])('is found through any one of its nodes (%s)', async (scheme) => {
    const { cluster } = await start();
    cluster.electLeader(2);
    const { store } = servers.open(`${scheme}://localhost:${cluster.nodes[0]?.port}?tls=false`);
    expect(await store.append(appendToNewStream())).toMatchObject({ kind: 'Appended' });
    expect(await readAllPages(store)).toHaveLength(1);
    expect((await store.health()).writable).toBe(true);
  });

  it.concurrent(
    'whose nodes keep naming another leader is Unavailable by the deadline: nothing was written',
    async () => {
      const { cluster, store } = await start();
      const leader = { address: '127.0.0.1', port: cluster.nodes[0]?.port ?? 0 };
      cluster.nodes[0]?.inject({ kind: 'NotLeader', leader }, { call: 'read', times: Infinity });
      const begin = performance.now();
      await expect(store.append(appendToNewStream())).rejects.toMatchObject({ code: 'Unavailable' });
      expect(performance.now() - begin).toBeLessThan(10_000);
      expect(cluster.nodes[0]?.calls.length).toBeLessThan(60);
    },
  );

  it.concurrent(
    'without a leader for a while delays appends and reads, and they succeed within the deadline',
    async () => {
      const { cluster, store } = await start();
      await store.append(appendToNewStream());
      await cluster.nodes[0]?.stop();
      const append = appendToNewStream();
      const [appended, health] = [store.append(append), store.health()];
      await pause(700);
      cluster.electLeader(1);
      // The result of calls in flight on the broken connection is unknown; all other calls wait.
      expect(await appended.catch(() => store.append(append))).toMatchObject({ kind: 'Appended' });
      expect((await health).writable).toBe(true);
      expect((await store.readStream(append.stream)).events).toHaveLength(1);
    },
  );

  it.concurrent('keeps no subscription at a node that the leader has lost', async () => {
    const { cluster, store } = await start();
    await store.append(appendToNewStream());
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
    cluster.lagBy(60_000);
    cluster.electLeader(1);
    await store.append(appendToNewStream(3));
    await seen.until(({ events }) => events.length === 4, 25_000);
  });

  it.concurrent.each(['stop', 'freeze'] as const)(
    'loses and doubles no event when its leader is lost (%s) under load and another is elected',
    async (loss) => {
      const { cluster, store } = await start();
      const seen = new RecordingSubscriber();
      store.subscribeToAll({ categories: ['payment'] }, seen);
      const acknowledged: string[] = [];
      let writing = true;
      const writers = Array.from({ length: 8 }, async () => {
        while (writing) {
          const { stream } = appendToNewStream();
          const decide = (history: readonly unknown[]) => ({
            events: [numberedEvent(history.length)],
            value: 0,
          });
          const options = { stream, decide, unknownTimeoutMs: 20_000, knownHistory: [] };
          const result = await transact(store, options).catch(() => undefined);
          if (result?.kind === 'Done') acknowledged.push(stream);
          await pause(2);
        }
      });
      await pause(300);
      await cluster.nodes[0]?.[loss]();
      await pause(300);
      const before = acknowledged.length;
      cluster.electLeader(1);
      await until(() => acknowledged.length > before + 50);
      writing = false;
      await Promise.all(writers);
      for (const stream of acknowledged) expect(await readWholeStream(store, stream)).toHaveLength(1);
      const all = await readAllPages(store, { categories: ['payment'] });
      await seen.until(({ events }) => events.length >= all.length, 25_000);
      expect(seen.events.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    },
  );

  function callsOf(cluster: EventStoreDbDoubleCluster) {
    return cluster.nodes
      .flatMap(({ calls }, node) => calls.map((call) => ({ ...call, node })))
      .filter(({ call }) => call !== 'gossip')
      .sort((a, b) => a.at - b.at);
  }
});

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 25_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('not within 25 s');
    await pause(20);
  }
}
