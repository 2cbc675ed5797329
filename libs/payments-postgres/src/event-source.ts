import { holdsWitness, type EventStore } from '@tillstream/event-store';
import type { Postgres } from '@tillstream/postgres-driver';
import { build } from './payments.tables.js';
import { resetWorkQueue, storedCheckpoint } from './work-queue.feed.js';

/** The name of the store that feeds the tables in this database. Undefined before the first start. */
export async function storedEventSource(database: Pick<Postgres, 'all'>): Promise<string | undefined> {
  const [row] = await database.all(build.selectFrom('event_source').select('name'));
  return row?.name;
}

/**
 * Records that this store feeds the tables from now on. Positions of one store mean nothing in another, so a change of the store
 * empties the work queue, and it is fed again from the first event. That also removes its checkpoint, which fences
 * a process that still feeds it from the old store.
 */
export async function setEventSource(database: Postgres, source: string): Promise<void> {
  if ((await storedEventSource(database)) === source) return;
  await database.transaction(async (session) => {
    await resetWorkQueue(session);
    const remember = build.insertInto('event_source').values({ one: 1, name: source });
    await session.run(
      remember.onConflict((conflict) => conflict.column('one').doUpdateSet({ name: source })),
    );
  });
}

/** Whether the work queue was ever fed an event, from any store. */
export async function hasWorkQueueCheckpoint(database: Pick<Postgres, 'all'>): Promise<boolean> {
  return (await storedCheckpoint(database)) !== undefined;
}

/**
 * Empties the work queue if the store does not have the history that it was fed from, and returns true. An older
 * copy of the store was restored then: events appended next can lie before the checkpoint and would never be read. Rejects
 * with the store's errors.
 */
export async function resetAfterRestore(database: Postgres, store: EventStore): Promise<boolean> {
  const witness = (await storedCheckpoint(database))?.witness;
  if (!witness || (await holdsWitness(store, witness))) return false;
  await database.transaction(resetWorkQueue);
  return true;
}
