import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';

/** Given by the jest project: all HTTP specs run once on each event store. */
declare global {
  var EVENT_STORE: 'sqlite' | 'eventstoredb' | undefined;
}

/** A server for each data directory: what is stopped and started again finds its events. */
const servers = new Map<string, EventStoreDbDouble>();

/** The settings that put a test's events where the run wants them. */
export async function storeSettings(dataDir: string): Promise<Record<string, string>> {
  if (globalThis.EVENT_STORE !== 'eventstoredb') return {};
  const server = servers.get(dataDir) ?? (await startEventStoreDbDouble());
  servers.set(dataDir, server);
  return { EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: server.url };
}

export async function removeStore(dataDir: string): Promise<void> {
  await servers.get(dataDir)?.close();
  servers.delete(dataDir);
}

/** The next reads of its whole history are refused, as by a server that is overloaded; a file is never. */
export function refuseReadsOfAll(dataDir: string, times: number): void {
  servers.get(dataDir)?.inject({ kind: 'NotReady' }, { call: ['read', 'subscribe'], stream: '$all', times });
}

/** By the server of this data directory; 0 where the events lie in a file. */
export function appendsSeen(dataDir: string): number {
  return servers.get(dataDir)?.calls.filter(({ call }) => call === 'batchAppend').length ?? 0;
}
