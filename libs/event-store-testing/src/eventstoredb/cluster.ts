import { randomUUID } from 'node:crypto';
import { newLog } from './double.js';
import type { DoubleOptions, EventStoreDbDouble } from './double.options.js';
import { LogView } from './log/log.view.js';
import { NodeServer } from './node/node.server.js';
import type { NodeRole } from './node/node.context.js';

export interface ClusterOptions extends DoubleOptions {
  /** Port of the first node; the others have the next ones. Left out or 0: free ports. */
  readonly port?: number;
  /** Followers show an event this time after the leader. Left out: 0. */
  readonly lagMs?: number;
}

/** Several doubles with one log. Only `electLeader` changes the leader. */
export interface EventStoreDbDoubleCluster {
  /** `esdb://127.0.0.1:<port>,127.0.0.1:<port>…?tls=false`: a client finds the leader by gossip. */
  readonly url: string;
  /** Each can be stopped, started, frozen or given a fault. */
  readonly nodes: readonly EventStoreDbDouble[];
  /** Index of the leader, running or not. */
  readonly leader: number;
  /** The former leader becomes a follower; connections stay open. */
  electLeader(index: number): void;
  /** Applies from the next append on. */
  lagBy(ms: number): void;
  close(): Promise<void>;
}

/**
 * The first node leads. Followers forward appends, or answer not-leader if the call requires the leader. While the leader is
 * down or frozen, they answer a timeout. No acknowledged append is lost: all nodes share one log, so no leader has records of
 * its own, which a real cluster truncates.
 */
export async function startEventStoreDbCluster(
  size: number,
  options: ClusterOptions = {},
): Promise<EventStoreDbDoubleCluster> {
  const { log, writer } = newLog(options);
  const nodes: { readonly id: string; readonly view: LogView; readonly server: NodeServer }[] = [];
  let leader = 0;
  let lagMs = options.lagMs ?? 0;
  const roleOf = (index: number): NodeRole => ({
    isLeader: () => leader === index,
    leader: () => {
      const { alive = false, port = 0 } = nodes[leader]?.server ?? {};
      return alive ? { address: '127.0.0.1', port } : undefined;
    },
  });
  const members = () =>
    nodes.map(({ id, server }, index) => ({
      id,
      port: server.port,
      leads: index === leader,
      alive: server.alive,
    }));
  const setLag = () => nodes.forEach(({ view }, index) => (view.lagMs = index === leader ? 0 : lagMs));

  for (let index = 0; index < size; index++) {
    const view = new LogView(log);
    const own = { ...options, port: options.port === undefined ? 0 : options.port + index };
    const server = new NodeServer({ view, writer, role: roleOf(index), members, options: own });
    nodes.push({ id: randomUUID(), view, server });
    await server.start();
  }
  setLag();

  return {
    get url() {
      const addresses = nodes.map(({ server }) => `127.0.0.1:${server.port}`).join(',');
      return `esdb://${addresses}?tls=${options.tls !== undefined}`;
    },
    nodes: nodes.map(({ server }) => server),
    get leader() {
      return leader;
    },
    electLeader: (index) => {
      leader = index;
      setLag();
    },
    lagBy: (ms) => {
      lagMs = ms;
      setLag();
    },
    close: async () => {
      await Promise.all(nodes.map(({ server }) => server.close()));
    },
  };
}
