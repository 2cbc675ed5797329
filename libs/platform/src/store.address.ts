import type { EventStore } from '@tillstream/event-store';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { eventsFile } from './events.file.js';

/** For help and errors of commands. */
export const STORE_ADDRESSES =
  'sqlite:<data directory or events.db>, esdb://<user>:<password>@<host>:<port>?tls=true, or esdb+discover://…';

const SQLITE = 'sqlite:';
/** The name of the embedded store, wherever its file is. */
export const EMBEDDED = 'sqlite';

/**
 * Opens the store that a command was given. Throws an `Error` with one sentence where the address is none, or `readOnly`
 * where nothing lies there.
 */
export async function openEventStoreAt(
  address: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<EventStore> {
  if (address.startsWith(SQLITE)) {
    return openSqliteEventStore({ file: eventsFile(address.slice(SQLITE.length)), readOnly });
  }
  if (isServerAddress(address)) {
    // Its client takes longer to load than all the rest: only for who uses it.
    const { checkEventStoreDbUrl, openEventStoreDb } = await import('@tillstream/event-store-eventstoredb');
    const wrong = checkEventStoreDbUrl(address);
    if (wrong !== undefined) throw new Error(wrong);
    return openEventStoreDb({ url: address });
  }
  throw new Error(`this is no address of an event store; allowed: ${STORE_ADDRESSES}`);
}

/** Whether it is meant as an address of EventStoreDB, right or wrong. */
export function isServerAddress(address: string): boolean {
  return /^esdb(\+discover)?:/.test(address);
}

/** `esdb://host:2113`, without user, password and options: what may be shown and logged. Other addresses as they are. */
export function nameOfAddress(address: string): string {
  const scheme = /^esdb(?:\+discover)?:\/\//.exec(address)?.[0];
  if (scheme === undefined) return address;
  // A password may hold any sign: only what stands after the last @ is no part of it.
  const hosts = address.slice(Math.max(scheme.length, address.lastIndexOf('@') + 1));
  return scheme + hosts.replace(/[/?#].*$/s, '');
}

/** As what was fed from a store remembers it: the embedded one is the data directory's own. */
export function nameOfStore(address: string): string {
  return isServerAddress(address) ? nameOfAddress(address) : EMBEDDED;
}
