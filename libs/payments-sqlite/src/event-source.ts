import { holdsWitness, type EventStore } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { FORGET, landmarkOfOpenWork } from './sqlite-open-work.js';

const SCHEMA = ['CREATE TABLE event_source (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL)'];
const REMEMBER =
  'INSERT INTO event_source (one, name) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET name = excluded.name';

/** Which store the tables beside the events were fed from; undefined: from none other than this file. */
export async function rememberedEventSource(file: SqliteEventStore): Promise<string | undefined> {
  await file.migrate('event_source', SCHEMA);
  return file.query<{ name: string }>('SELECT name FROM event_source')[0]?.name;
}

/** As `rememberedEventSource`, of a store that may be open for reading alone. */
export function lookAtEventSource(file: SqliteEventStore): string | undefined {
  const there = file.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'event_source'");
  return there.length === 0
    ? undefined
    : file.query<{ name: string }>('SELECT name FROM event_source')[0]?.name;
}

/**
 * From now on the tables are fed from this store. Positions of one store mean nothing in another, so after a change open
 * work is forgotten and fed anew from the first event; a process that still feeds the old way finds its checkpoint gone.
 */
export async function feedFrom(file: SqliteEventStore, source: string): Promise<void> {
  if ((await rememberedEventSource(file)) === source) return;
  await file.execute([...FORGET, { kind: 'run', sql: REMEMBER, params: [source] }]);
}

/** Whether open work was ever fed an event, from whichever store; its tables have to be there. */
export function hasFedOpenWork(file: SqliteEventStore): boolean {
  return landmarkOfOpenWork(file) !== undefined;
}

/**
 * Whether the store has the history that the tables were fed from. Where an older copy of it was restored, what is
 * appended next would lie before their checkpoint and never be looked at: they are forgotten and fed anew. Rejects as the
 * store does.
 */
export async function feedAnewAfterRestore(file: SqliteEventStore, store: EventStore): Promise<boolean> {
  const landmark = landmarkOfOpenWork(file);
  if (!landmark || (await holdsWitness(store, landmark))) return false;
  await file.execute(FORGET);
  return true;
}
