import { join } from 'node:path';
import { openEventStoreDb } from '@tillstream/event-store-eventstoredb';
import { openBareClient, type BareClient } from '@tillstream/event-store-eventstoredb/testing';
import { readModelWriteThrough } from '@tillstream/platform';
import type { PostgresServer } from '@tillstream/postgres-driver/testing';
import { openBareRows, type BareRows } from '@tillstream/read-models-postgres/testing';
import { manyTransactionsRow } from '@tillstream/read-models/testing';
import { openListsInDatabase, POSTGRES_METHOD, startPostgres } from '../services/bench.database.js';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { eventServer, type EventServer } from '../services/event-server.js';
import { openInProcessSales, type InProcessSales } from './in-process.sales.js';
import { processFigures } from './postgres-sales.processes.js';
import { interleaved, median, ratio, type Rounds } from '../report/rounds.statistics.js';
import { readyPayments, runPayments, type ReadyPayment } from './store.clients.js';

const CONCURRENCY = 50;

export const postgresSalesBench: Bench = {
  name: 'postgres-sales',
  title: 'Sales on PostgreSQL and EventStoreDB',
  method:
    `${POSTGRES_METHOD} EventStoreDB is a real one where EVENTSTOREDB_URL names it, else the double that the tests use, in a ` +
    `process of its own (the first figure says which); over HTTP always the double. A sale is the whole use case: decided, ` +
    `requested, sent to the simulated acquirer, answered, recorded, and in the lists of PostgreSQL before it is answered, 50 at a ` +
    `time, each on a terminal of its own. The bare clients are the two drivers by themselves, in their fastest way: for each ` +
    `payment the same two appends of ready events, and one prepared insert of a ready row into the same tables with the same ` +
    `indexes, whose commit does not wait for the disk either. Over HTTP, 50 connections sell at one API process, or 25 at each ` +
    `of two; the acquirer is a process of its own; a third process drives them. All processes share the machine.`,
  run,
};

type Side = 'sales' | 'bare';

async function run(context: BenchContext): Promise<Figure[]> {
  const postgres = await startPostgres();
  try {
    return [...(await clientFigures(postgres, context)), ...(await processFigures(postgres, context))];
  } finally {
    await postgres.stop();
  }
}

async function clientFigures(postgres: PostgresServer, context: BenchContext): Promise<readonly Figure[]> {
  const server = await eventServer();
  const closing: (() => Promise<void>)[] = [() => server.stop()];
  try {
    const bare = openBareClient(server.url);
    closing.push(() => bare.close());
    const store = openEventStoreDb({ url: server.url });
    closing.push(() => store.close());
    const rows = await openBareRows(await postgres.newDatabase(), 'transactions');
    closing.push(() => rows.close());
    const lists = await openListsInDatabase(await postgres.newDatabase(), store, 'bench');
    closing.push(() => lists.close());
    const writer = readModelWriteThrough(lists.models);
    const sales = await openInProcessSales(join(context.folder, 'data'), server.url, CONCURRENCY, writer);
    closing.push(() => sales.close());
    return figures(server, await measure({ sales, bare, rows }, context));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface Clients {
  readonly sales: InProcessSales;
  readonly bare: BareClient;
  readonly rows: BareRows;
}

function measure({ sales, bare, rows }: Clients, { quick, progress }: BenchContext): Promise<Rounds<Side>> {
  // A busy machine that runs the tests must send each sale in its time.
  const [payments, rounds, clients] = quick ? [40, 1, 4] : [2_000, 9, CONCURRENCY];
  let made = 0;
  return interleaved<Side>(
    rounds,
    {
      sales: async () => (await runPayments(payments, () => sales.sell(), clients)).rate / 2,
      bare: async () => {
        const ready = readyPayments(payments);
        const first = made;
        made += payments;
        const { rate } = await runPayments(
          payments,
          async (number) => {
            const { stream, requested, answered } = ready[number] as ReadyPayment;
            await bare.append(stream, requested);
            await bare.append(stream, answered, requested.length - 1);
            await rows.insert(manyTransactionsRow(first + number, 1_000_000));
          },
          clients,
        );
        return rate / 2;
      },
    },
    (round) => progress(`sales, ${round}`),
  );
}

function figures({ name: server }: Pick<EventServer, 'name'>, rates: Rounds<Side>): Figure[] {
  return [
    {
      name: 'sales : bare clients',
      ...ratio(rates.sales, rates.bare),
      detail: `on ${server}`,
      meaning:
        'The share that remains with decisions, hash chain, calls and responses, and with rows that are right for any order of writers.',
      target: { kind: 'at least', value: 0.5 },
    },
    {
      name: 'sales',
      value: median(rates.sales),
      unit: '/s',
      meaning: 'Payments, in one process without HTTP.',
    },
    {
      name: 'bare clients',
      value: median(rates.bare),
      unit: '/s',
      meaning: 'Payments of two appends and a row.',
    },
  ];
}
