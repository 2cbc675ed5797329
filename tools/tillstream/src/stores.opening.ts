import { join } from 'node:path';
import type { EventStore } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Clock } from '@tillstream/payments';
import { lookAtEventSource } from '@tillstream/payments-sqlite';
import {
  eventStoreAddress,
  isServerAddress,
  lookAtClockOffset,
  movedClock,
  nameOfStore,
  openEventStoreAt,
  refuseEmptyHistory,
  refuseLostEventsFile,
  REAL_CLOCK,
  refuseLostFiles,
  whatIsAt,
  type Config,
} from '@tillstream/platform';
import { Failed } from './command.types.js';

export interface OpenedEvents {
  readonly store: EventStore;
  /** What lies beside the events, for reading; absent where the service never made it. */
  readonly file?: SqliteEventStore;
  /** Without user and password. */
  readonly name: string;
  close(): Promise<void>;
}

/**
 * The events where the settings say that they are, as the service beside it has them open: nothing is made that is not
 * there. @throws Failed where there is nothing, or where the service was used with another store: what is written to the
 * wrong one nobody would ever read.
 */
export async function openEvents(config: Config, access: 'read' | 'write'): Promise<OpenedEvents> {
  const { dataDir } = config;
  const place = whatIsAt(dataDir);
  if (place !== undefined && !place.isDirectory()) throw new Failed(`DATA_DIR "${dataDir}" is no directory.`);
  if (place === undefined) {
    throw new Failed(`There is no DATA_DIR "${dataDir}" yet; the service's first start makes it.`);
  }
  const address = eventStoreAddress(config);
  const name = nameOfStore(address);
  const isServer = isServerAddress(address);
  const path = join(dataDir, 'events.db');
  const opened: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one.close();
  };
  try {
    refuseLostEventsFile(config);
    const events = whatIsAt(path);
    if (events?.size === 0) throw new Failed(`${path} is empty and holds no event store.`);
    const file = events
      ? await openSqliteEventStore({ file: path, readOnly: isServer || access === 'read' })
      : undefined;
    if (file) {
      opened.push(file);
      checkSource(config, file, name);
    }
    if (!isServer) {
      if (!file)
        throw new Failed(`There is no events.db in DATA_DIR "${dataDir}"; the first start makes it.`);
      await refuseLost(config, path, file);
      return { store: file, file, name, close };
    }
    const store = await openEventStoreAt(address, { readOnly: access === 'read' });
    opened.push(store);
    await refuseLost(config, name, store);
    return { store, ...(file && { file }), name, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A change that is written beside lost files is lost with what an operator restores later. */
async function refuseLost(config: Config, name: string, store: EventStore): Promise<void> {
  await refuseEmptyHistory(config.dataDir, name, store);
  await refuseLostFiles(config, store);
}

function checkSource({ dataDir }: Config, file: SqliteEventStore, name: string): void {
  const used = lookAtEventSource(file);
  if (used === undefined || used === name) return;
  throw new Failed(
    `The service uses DATA_DIR "${dataDir}" with its events in ${used}, and the settings here say ${name}; set EVENT_STORE and EVENTSTOREDB_URL as the service has them.`,
  );
}

/** Runs with the events open, and closes them whatever happens. */
export async function withEvents<T>(
  config: Config,
  access: 'read' | 'write',
  work: (events: OpenedEvents) => Promise<T>,
): Promise<T> {
  const events = await openEvents(config, access);
  try {
    return await work(events);
  } finally {
    await events.close();
  }
}

/** The service's clock, which may have been moved forward in sandbox mode. */
export function serviceClock({ mode, dataDir }: Config, { file }: OpenedEvents): Clock {
  return mode === 'sandbox' ? movedClock(lookAtClockOffset(dataDir, file)) : REAL_CLOCK;
}
