import { holdsWitness, type EventStore } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { RESET_STEPS, openWorkWitness } from './sqlite-work-queue.js';

const SCHEMA = ['CREATE TABLE event_source (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL)'];
const FIND_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'event_source'";
const REMEMBER =
  'INSERT INTO event_source (one, name) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET name = excluded.name';

/** The name of the store that feeds the tables in this file. Undefined: this file. */
export async function storedEventSource(file: SqliteEventStore): Promise<string | undefined> {
  await file.migrate('event_source', SCHEMA);
  return storedSource(file);
}

/** As `storedEventSource`, for a file that may be open for reading only. */
export function inspectEventSource(file: SqliteEventStore): string | undefined {
  return file.query(FIND_TABLE).length === 0 ? undefined : storedSource(file);
}

function storedSource(file: SqliteEventStore): string | undefined {
  return file.query<{ name: string }>('SELECT name FROM event_source')[0]?.name;
}

/**
 * Records that this store feeds the tables from now on. Positions of one store mean nothing in another, so a change of the store
 * empties the work queue, and it is fed again from the first event. That also removes its checkpoint, which fences
 * a process that still feeds it from the old store.
 */
export async function setEventSource(file: SqliteEventStore, source: string): Promise<void> {
  if ((await storedEventSource(file)) === source) return;
  await file.execute([...RESET_STEPS, { kind: 'run', sql: REMEMBER, params: [source] }]);
}

/** Whether the work queue, whose tables must exist, was ever fed an event, from any store. */
export function hasWorkQueueCheckpoint(file: SqliteEventStore): boolean {
  return openWorkWitness(file) !== undefined;
}

/**
 * Empties the work queue if the store does not have the history that it was fed from, and returns true. An older
 * copy of the store was restored then: events appended next can lie before the checkpoint and would never be read. Rejects
 * with the store's errors.
 */
export async function resetAfterRestore(file: SqliteEventStore, store: EventStore): Promise<boolean> {
  const witness = openWorkWitness(file);
  if (!witness || (await holdsWitness(store, witness))) return false;
  await file.execute(RESET_STEPS);
  return true;
}
