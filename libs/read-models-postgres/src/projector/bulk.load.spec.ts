import { setTimeout } from 'node:timers/promises';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { tableShape } from '@tillstream/read-models';
import { schemaOf, type NumberedGeneration } from '../control/generation.js';
import { ListsPlace } from '../lists-place.fixture.js';
import { listTables } from '../tables/generation.schema.js';
import { BulkLoad, closeBuildDatabases, openBuildDatabases } from './bulk.load.js';

const shape = tableShape('transactions');

let server: PostgresServer;
let place: ListsPlace;

beforeAll(async () => {
  server = await PostgresServer.start();
  place = new ListsPlace(() => server);
});
afterAll(async () => {
  await place.remove();
  await server.stop();
});

/** Keeps indexes of the generation from being made until `release` is called. */
async function holdRows(generation: NumberedGeneration): Promise<{ release(): Promise<void> }> {
  const database = await place.database();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let ended: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    ended = database.transaction(async (session) => {
      await session.command(`lock table ${schemaOf(generation)}.rows in row exclusive mode`);
      resolve();
      await released;
    });
  });
  return { release: () => (release(), ended ?? Promise.resolve()) };
}

/** Resolves when so many connections of rebuilds wait for a lock. */
async function waitingBuilds(count: number): Promise<void> {
  for (let found = -1; found !== count; await setTimeout(10)) {
    const [row] = await server.admin<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where application_name like 'tillstream rebuild %' and wait_event_type = 'Lock'`,
    );
    found = row?.waiting ?? -1;
  }
}

describe('The load of a new generation', () => {
  it('ends at once if it is aborted while it makes indexes', async () => {
    const [control, database] = [await place.control(), await place.database()];
    const generation = await control.startBuilding(shape, 'a builder', (made) => listTables(made, shape));
    const own = openBuildDatabases({ synced: database, unsynced: database }, generation);
    const abort = new AbortController();
    const bulk = new BulkLoad(own, generation, { signal: abort.signal, onIndexed: () => undefined });
    const { release } = await holdRows(generation);
    const abortWhenWaiting = async (): Promise<void> => {
      await waitingBuilds(2);
      abort.abort(new Error('enough'));
    };

    await Promise.all([expect(bulk.finish(undefined)).rejects.toThrow('enough'), abortWhenWaiting()]);

    await waitingBuilds(0);
    await release();
    await closeBuildDatabases(own);
  });
});
