import type { EventStore, StoreHealth } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Config } from '../configuration/config.js';
import { resolveEventsFile } from './events-db.path.js';

/** For help and errors of commands. */
export const STORE_ADDRESSES =
  'sqlite:<data directory or events.db>, esdb://<user>:<password>@<host>:<port>?tls=true, or esdb+discover://…';

const SQLITE = 'sqlite:';
/** The name of the embedded store, wherever its file is. */
export const EMBEDDED_STORE = 'sqlite';

export type HealthyEventStore = EventStore & { health(): Promise<StoreHealth> };

export interface EventStoreOptions {
  /** Left out: false. */
  readonly readOnly?: boolean;
  /** For a server: how long one call may take, ms. Left out: the adapter's default. */
  readonly deadlineMs?: number;
  /** Told what an operator should know of the store, in one line. */
  readonly report?: (trouble: string) => void;
}

/**
 * Opens a store of events: for the service, for the thread that projects from it, and for commands. Throws an `Error` with
 * one sentence where the address is none, or `readOnly` where nothing lies there.
 */
export async function openEventStoreAt(
  address: string,
  { readOnly = false, ...options }: EventStoreOptions = {},
): Promise<HealthyEventStore> {
  if (address.startsWith(SQLITE))
    return openEventsFile(resolveEventsFile(address.slice(SQLITE.length)), readOnly);
  if (isServerAddress(address)) {
    // Its client takes longer to load than all the rest: only for who uses it.
    const { checkEventStoreDbUrl, openEventStoreDb } = await import('@tillstream/event-store-eventstoredb');
    const wrong = checkEventStoreDbUrl(address);
    if (wrong !== undefined) throw new Error(wrong);
    return openEventStoreDb({ url: address, ...options });
  }
  throw new Error(`this is no address of an event store; allowed: ${STORE_ADDRESSES}`);
}

/** An `events.db`; what lies beside the events is in it too, wherever they are themselves. */
export function openEventsFile(file: string, readOnly: boolean): Promise<SqliteEventStore> {
  return openSqliteEventStore({ file, readOnly });
}

/** For `openEventStoreAt`: where the settings say that the events are. */
export function eventStoreAddress({
  dataDir,
  eventStore,
  eventStoreDb: { url },
}: Pick<Config, 'dataDir' | 'eventStore' | 'eventStoreDb'>): string {
  return eventStore === 'eventstoredb' && url !== undefined ? url : `${SQLITE}${dataDir}`;
}

/** Whether it is meant as an address of EventStoreDB, right or wrong. */
export function isServerAddress(address: string): boolean {
  return /^esdb(\+discover)?:/.test(address);
}

/** `esdb://host:2113`, without user, password and options: what may be shown and logged. Other addresses as they are. */
export function displayAddress(address: string): string {
  const scheme = /^esdb(?:\+discover)?:\/\//.exec(address)?.[0];
  if (scheme === undefined) return address;
  // A password may hold any sign: only what stands after the last @ is no part of it.
  const hosts = address.slice(Math.max(scheme.length, address.lastIndexOf('@') + 1));
  return scheme + hosts.replace(/[/?#].*$/s, '');
}

/** As what was fed from a store remembers it: the embedded one is the data directory's own. */
export function storeName(address: string): string {
  return isServerAddress(address) ? displayAddress(address) : EMBEDDED_STORE;
}
