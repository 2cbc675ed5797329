import { MemoryEventStore } from '@tillstream/event-store';
import { formatCount } from '@tillstream/platform/command-line';
import type { PostgresSettings } from '@tillstream/postgres-driver';
import type { PostgresServer } from '@tillstream/postgres-driver/testing';
import type { ReadModels } from '@tillstream/read-models';
import { fillList, fillTransactions } from '@tillstream/read-models-postgres/testing';
import {
  openListsInDatabase,
  POSTGRES_METHOD,
  startPostgres,
  type OpenedLists,
} from '../services/bench.database.js';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { PAGES_METHOD, pagesBySize } from './list-pages.measure.js';
import { TRANSACTION_PAGES_METHOD, transactionPages } from './read-models.pages.js';
import { REBUILD_METHOD, rebuildFigures, type HistoryRun } from './read-models.rebuild.js';

const LISTS = ['transactions', 'settlements', 'settled_transactions', 'fee_charges'];

export const postgresListsBench: Bench = {
  name: 'postgres-lists',
  title: 'Lists in PostgreSQL with 1,000,000 rows',
  isLong: true,
  method:
    `${POSTGRES_METHOD} Each list has 10,000 rows in one database and 1,000,000 in another, made by SQL alone, with the indexes ` +
    `that the service makes. ${PAGES_METHOD} Then the same with transactions that have every filter: ${TRANSACTION_PAGES_METHOD} ` +
    `${REBUILD_METHOD} Events are in a SQLite file, lists in a new database of another server for each run.`,
  run,
};

async function run(context: BenchContext): Promise<Figure[]> {
  return [
    ...(await withPostgres(async (server) => [
      ...(await listFigures(server, context)),
      ...(await transactionFigures(server, context)),
    ])),
    // Not beside the maintenance of the millions of new rows above.
    ...(await withPostgres((server) => rebuildFigures(context, inNewDatabase(server)))),
  ];
}

async function withPostgres(measure: (server: PostgresServer) => Promise<Figure[]>): Promise<Figure[]> {
  const server = await startPostgres();
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}

async function listFigures(
  server: PostgresServer,
  { quick, progress }: BenchContext,
): Promise<readonly Figure[]> {
  const [few, many, rounds] = quick ? [10_000, 20_000, 5] : [10_000, 1_000_000, 61];
  const filled = async (count: number): Promise<OpenedLists> => {
    const settings = await server.newDatabase();
    for (const list of LISTS) {
      progress(`making ${formatCount(count)} rows of ${list}`);
      await fillList(settings, list, count);
    }
    return openLists(settings);
  };
  const [small, large] = [await filled(few), await filled(many)];
  try {
    return await pagesBySize({ small: small.models, large: large.models }, { few, many, rounds }, progress);
  } finally {
    await Promise.all([small.close(), large.close()]);
  }
}

async function transactionFigures(
  server: PostgresServer,
  { quick, progress }: BenchContext,
): Promise<readonly Figure[]> {
  const opened: OpenedLists[] = [];
  const openFilled = async (_name: string, rows: number): Promise<ReadModels> => {
    const settings = await server.newDatabase();
    await fillTransactions(settings, rows, (done) => progress(`making row ${done} of ${rows}`));
    const lists = await openLists(settings);
    opened.push(lists);
    return lists.models;
  };
  try {
    return await transactionPages(openFilled, { quick, progress });
  } finally {
    await Promise.all(opened.map((lists) => lists.close()));
  }
}

/** Started: queries then know which generation is live without asking each time, as in the service. */
async function openLists(settings: PostgresSettings): Promise<OpenedLists> {
  const lists = await openListsInDatabase(settings, new MemoryEventStore(), '');
  await lists.models.start();
  return lists;
}

function inNewDatabase(server: PostgresServer) {
  return async (run: (place: string) => Promise<HistoryRun>): Promise<HistoryRun> => {
    const { url } = await server.newDatabase();
    try {
      return await run(url);
    } finally {
      await server.admin(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
    }
  };
}
