import { extname, join } from 'node:path';
import type { EventStore, StoreHealth } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Config } from '../configuration/config.js';
import { statPath } from '../files/path.stats.js';

/** For the help and error messages of commands. */
export const STORE_ADDRESSES =
  'sqlite:<data directory or events.db>, esdb://<user>:<password>@<host>:<port>?tls=true, or esdb+discover://…';

const SQLITE = 'sqlite:';
/** The name of every embedded store. */
export const EMBEDDED_STORE = 'sqlite';

export type HealthyEventStore = EventStore & { health(): Promise<StoreHealth> };

interface EventStoreOptions {
  readonly readOnly?: boolean;
  /** For one call to a server. Left out: the adapter's default. */
  readonly deadlineMs?: number;
  /** Gets one line for an operator. */
  readonly report?: (trouble: string) => void;
}

/**
 * Opens an event store for the service, for its projector thread, or for a command.
 * @throws Error with one sentence if the address is wrong, or if a read-only store does not exist
 */
export async function openEventStoreAt(
  address: string,
  { readOnly = false, ...options }: EventStoreOptions = {},
): Promise<HealthyEventStore> {
  if (address.startsWith(SQLITE))
    return openEventsFile(resolveEventsFile(address.slice(SQLITE.length)), readOnly);
  if (isServerAddress(address)) {
    // Loaded on demand, because the client takes long to load.
    const { checkEventStoreDbUrl, openEventStoreDb } = await import('@tillstream/event-store-eventstoredb');
    const wrong = checkEventStoreDbUrl(address);
    if (wrong !== undefined) throw new Error(wrong);
    return openEventStoreDb({ url: address, ...options });
  }
  throw new Error(`this is no address of an event store; allowed: ${STORE_ADDRESSES}`);
}

/** The path of `events.db` for the path of a data directory or of the file. A missing path without an extension is a directory. */
export function resolveEventsFile(path: string): string {
  const stats = statPath(path);
  const isDirectory = stats ? stats.isDirectory() : extname(path) === '';
  return isDirectory ? join(path, 'events.db') : path;
}

/** Opens `events.db`. It has further tables besides the events, and exists also beside EventStoreDB. */
export function openEventsFile(file: string, readOnly: boolean): Promise<SqliteEventStore> {
  return openSqliteEventStore({ file, readOnly });
}

/** The configured address, for `openEventStoreAt`. */
export function eventStoreAddress({
  dataDir,
  eventStore,
  eventStoreDb: { url },
}: Pick<Config, 'dataDir' | 'eventStore' | 'eventStoreDb'>): string {
  return eventStore === 'eventstoredb' && url !== undefined ? url : `${SQLITE}${dataDir}`;
}

/** Whether the scheme is that of EventStoreDB. The address may still be wrong. */
export function isServerAddress(address: string): boolean {
  return /^esdb(\+discover)?:/.test(address);
}

/** `esdb://host:2113`, without user, password and options, for messages and logs. Other addresses are unchanged. */
export function displayAddress(address: string): string {
  const scheme = /^esdb(?:\+discover)?:\/\//.exec(address)?.[0];
  if (scheme === undefined) return address;
  // A password may contain any character, so the hosts start after the last @.
  const hosts = address.slice(Math.max(scheme.length, address.lastIndexOf('@') + 1));
  return scheme + hosts.replace(/[/?#].*$/s, '');
}

/** The store's name, as `events.db` and the lists store it. */
export function storeName(address: string): string {
  return isServerAddress(address) ? displayAddress(address) : EMBEDDED_STORE;
}
