import { MemoryEventStore } from '@tillstream/event-store';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { createQueries } from '@tillstream/read-models';
import { expectTransactionsOfModel, listedTransactions } from '@tillstream/read-models/testing/contract';
import { PostgresLiveGenerations } from '../control/live.generations.js';
import { ListsPlace } from '../lists-place.fixture.js';
import { postgresRanges } from './merged-ranges.query.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 120_000);
afterAll(() => server.stop());

it('Every index scan of a list gives the same rows, for any limit of narrow rows', async () => {
  const place = new ListsPlace(() => server);
  const store = new MemoryEventStore();
  const models = await place.open({ store });
  try {
    const known = await listedTransactions(models, store);
    const live = new PostgresLiveGenerations(await place.database());
    const queries = createQueries(live, { ranges: postgresRanges, narrowRowsMax: 3 });
    await expectTransactionsOfModel(queries, [...known.values()]);
  } finally {
    await models.stop();
    await place.remove();
  }
}, 160_000);
