import { EventStoreDBClient } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import {
  aClient,
  readAll,
  BOTH_PATHS,
  closeAfterTest,
  rejectionOf,
  numberedJsonEvents,
  UNARY,
  until,
} from './double.fixture.js';
import { startEventStoreDbCluster, type ClusterOptions } from './index.js';
import { recorded } from './recorded-subscription.fixture.js';

describe('a cluster', () => {
  it.each(['leader', 'follower'])('sends clients of gossip to a %s', async (preference) => {
    const cluster = await aCluster();
    const client = aClient(`${cluster.url}&nodePreference=${preference}`);
    await client.appendToStream('s', numberedJsonEvents(1));
    const asked = cluster.nodes.findIndex(({ calls }) => calls.some(({ call }) => call === 'batchAppend'));
    expect(asked === cluster.leader).toBe(preference === 'leader');
  });

  it.each(BOTH_PATHS)(
    'follower forwards an append, or names the leader if it is required (%s)',
    async (_, path) => {
      const { nodes } = await aCluster();
      const client = aClient(nodes[1]?.url ?? '');
      await client.appendToStream('s', numberedJsonEvents(1), path);
      expect(await readAll(client.readStream('s'))).toHaveLength(1);
      // The first append of a batch call requires the leader for all that follow.
      const another = aClient(nodes[1]?.url ?? '');
      const required = another.appendToStream('s', numberedJsonEvents(1), { ...path, requiresLeader: true });
      expect(await rejectionOf(required)).toMatchObject({
        type: 'not-leader',
        code: 5,
        leader: { address: '127.0.0.1', port: nodes[0]?.port },
      });
    },
  );

  it('follower names the leader to a read that requires it', async () => {
    const { nodes } = await aCluster();
    const read = readAll(aClient(nodes[2]?.url ?? '').readStream('s', { requiresLeader: true }));
    expect(await rejectionOf(read)).toMatchObject({ type: 'not-leader', leader: { port: nodes[0]?.port } });
  });

  it('follower that lags shows an acknowledged append of the leader only later', async () => {
    const { nodes } = await aCluster({ lagMs: 100 });
    const [leader, follower] = nodes.map(({ url }) => aClient(url));
    const seen = recorded(aClient(nodes[1]?.url ?? '').subscribeToAll());
    await leader?.appendToStream('s', numberedJsonEvents(2));
    expect(await rejectionOf(readAll(follower?.readStream('s') ?? none()))).toMatchObject({
      type: 'stream-not-found',
    });
    expect(seen.revisions).toEqual([]);
    await until(() => seen.revisions.length === 2);
    expect(await readAll(follower?.readStream('s') ?? none())).toHaveLength(2);
  });

  it('without its leader answers a timeout until another one is elected, which has all acknowledged appends', async () => {
    const cluster = await aCluster({ lagMs: 200 });
    const { nodes } = cluster;
    await aClient(nodes[0]?.url ?? '').appendToStream('s', numberedJsonEvents(1));
    await nodes[0]?.stop();
    const follower = aClient(nodes[1]?.url ?? '');
    expect(await rejectionOf(follower.appendToStream('s', numberedJsonEvents(1), UNARY))).toMatchObject({
      code: 10,
    });
    expect(await rejectionOf(follower.appendToStream('s', numberedJsonEvents(1)))).toMatchObject({
      type: 'deadline-exceeded',
    });
    cluster.electLeader(1);
    const found = aClient(cluster.url);
    expect(await readAll(found.readStream('s'))).toHaveLength(1);
    expect(await found.appendToStream('s', numberedJsonEvents(1))).toMatchObject({
      nextExpectedRevision: 1n,
    });
    await nodes[0]?.start();
    const old = aClient(nodes[0]?.url ?? '');
    const required = old.appendToStream('s', numberedJsonEvents(1), { ...UNARY, requiresLeader: true });
    expect(await rejectionOf(required)).toMatchObject({ leader: { port: nodes[1]?.port } });
  });

  it('of one node answers gossip too', async () => {
    const { nodes } = await aCluster({}, 1);
    const { port = 0 } = nodes[0] ?? {};
    const client = EventStoreDBClient.connectionString(`esdb+discover://127.0.0.1:${port}?tls=false`);
    closeAfterTest(() => client.dispose());
    expect(await client.appendToStream('s', numberedJsonEvents(1))).toMatchObject({ success: true });
  });
});

async function aCluster(options?: ClusterOptions, size = 3) {
  const cluster = await startEventStoreDbCluster(size, options);
  closeAfterTest(() => cluster.close());
  return cluster;
}

async function* none() {}
