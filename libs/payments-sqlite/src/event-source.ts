import { holdsWitness, type EventStore } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { RESET_STEPS, workQueueWitness } from './sqlite-work-queue.js';

const SCHEMA = ['CREATE TABLE event_source (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL)'];
const REMEMBER =
  'INSERT INTO event_source (one, name) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET name = excluded.name';

/** Which store the tables beside the events were fed from; undefined: from none other than this file. */
export async function storedEventSource(file: SqliteEventStore): Promise<string | undefined> {
  await file.migrate('event_source', SCHEMA);
  return file.query<{ name: string }>('SELECT name FROM event_source')[0]?.name;
}

/** As `storedEventSource`, of a store that may be open for reading alone. */
export function inspectEventSource(file: SqliteEventStore): string | undefined {
  const there = file.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'event_source'");
  return there.length === 0
    ? undefined
    : file.query<{ name: string }>('SELECT name FROM event_source')[0]?.name;
}

/**
 * From now on the tables are fed from this store. Positions of one store mean nothing in another, so after a change open
 * work is forgotten and fed anew from the first event; a process that still feeds the old way finds its checkpoint gone.
 */
export async function setEventSource(file: SqliteEventStore, source: string): Promise<void> {
  if ((await storedEventSource(file)) === source) return;
  await file.execute([...RESET_STEPS, { kind: 'run', sql: REMEMBER, params: [source] }]);
}

/** Whether open work was ever fed an event, from whichever store; its tables have to be there. */
export function hasWorkQueueCheckpoint(file: SqliteEventStore): boolean {
  return workQueueWitness(file) !== undefined;
}

/**
 * Whether the store has the history that the tables were fed from. Where an older copy of it was restored, what is
 * appended next would lie before their checkpoint and never be looked at: they are forgotten and fed anew. Rejects as the
 * store does.
 */
export async function resetAfterRestore(file: SqliteEventStore, store: EventStore): Promise<boolean> {
  const landmark = workQueueWitness(file);
  if (!landmark || (await holdsWitness(store, landmark))) return false;
  await file.execute(RESET_STEPS);
  return true;
}
