import { migrate, openPostgres, type PostgresSettings } from '@tillstream/postgres-driver';
import { tableShape, type ProjectionName } from '@tillstream/read-models';
import { manyTransactionsRow } from '@tillstream/read-models/testing';
import { LISTS_MIGRATIONS } from '../control/control.tables.js';
import type { Generation } from '../control/generation.js';
import { ListControl } from '../control/list.control.js';
import { BulkLoad } from '../projector/bulk.load.js';
import type { RowDatabases } from '../tables/generation.rows.js';
import { listTables } from '../tables/generation.schema.js';
import { manyFacets, manyRowsInsert } from './many.rows.statements.js';

const PER_STATEMENT = 250_000;
const PER_PAGE = 2_000;
/** Of one statement: an index of many rows. */
const WITHIN_MS = 60 * 60_000;

/** Makes the live generation of a list in a new database, with `count` rows of one merchant, by SQL alone. */
export async function fillList(
  settings: PostgresSettings,
  projection: ProjectionName,
  count: number,
  onProgress: (rowsDone: number) => void = () => undefined,
): Promise<void> {
  await makeLive(settings, projection, async (generation, _load, { unsynced }) => {
    const shape = tableShape(projection);
    for (const statement of manyFacets(generation, shape, count)) await unsynced.run(statement);
    for (let from = 0; from < count; from += PER_STATEMENT) {
      const to = Math.min(from + PER_STATEMENT, count);
      await unsynced.run(manyRowsInsert(generation, shape, count, { from, to }));
      onProgress(to);
    }
  });
}

/** As `fillList`, with transactions that have every filter (`manyTransactionsRow`). */
export async function fillTransactions(
  settings: PostgresSettings,
  count: number,
  onProgress: (rowsDone: number) => void = () => undefined,
): Promise<void> {
  await makeLive(settings, 'transactions', async (_generation, load) => {
    for (let from = 0; from < count; from += PER_PAGE) {
      const size = Math.min(PER_PAGE, count - from);
      await load.write(Array.from({ length: size }, (_, index) => manyTransactionsRow(from + index, count)));
      onProgress(from + size);
    }
  });
}

async function makeLive(
  settings: PostgresSettings,
  projection: ProjectionName,
  fill: (generation: Generation, load: BulkLoad, databases: RowDatabases) => Promise<void>,
): Promise<void> {
  await migrate(settings, [LISTS_MIGRATIONS]);
  const patient = { ...settings, connectionsMax: 2, statementWithinMs: WITHIN_MS };
  const synced = openPostgres(patient);
  const unsynced = openPostgres({ ...patient, commits: 'Unsynced' });
  try {
    const shape = tableShape(projection);
    const control = new ListControl(synced, '');
    const generation = await control.startBuilding(shape, 'fill', (made) => listTables(made, shape));
    const load = new BulkLoad({ synced, unsynced }, generation, {
      signal: undefined,
      onIndexed: () => undefined,
    });
    await fill(generation, load, { synced, unsynced });
    await load.finish(undefined);
    await control.announce(generation);
    await control.swap(generation);
  } finally {
    await Promise.all([synced.close(), unsynced.close()]);
  }
}
