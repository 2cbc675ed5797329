import { join } from 'node:path';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { openBareDatabase } from '@tillstream/event-store-sqlite/testing';
import type { Bench, BenchContext, Figure } from '../bench.types.js';
import { interleaved, median, ratio, type Rounds } from '../report/rounds.statistics.js';
import { decideAndWrite, readyPayments, writeReady } from './store.clients.js';

/** Each has its own fsync, so few are enough. */
const SINGLE_COMMANDS_MAX = 2_000;

export const transactBench: Bench = {
  name: 'transact',
  title: 'Writing events on SQLite, 50 payments at a time',
  method:
    `\`transact()\` writes payments in new streams, two commands each: SaleRequested + TryRequested, then Authorized + ` +
    `Captured, with the shapes and metadata that the domain and the service give them. The time includes ` +
    `validation, hash chain, the append under its expected revision and the durable answer. The events are decided ` +
    `beforehand, except in the row "with the decisions of the domain". The two bare loops then insert the same rows on a ` +
    `better-sqlite3 connection (same tables and indexes, WAL, synchronous=FULL) in this process: one transaction a ` +
    `command, and transactions of the sizes that the store had committed.`,
  run,
};

type Side = 'transact' | 'grouped' | 'single' | 'decided';

async function run({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const [payments, rounds] = quick ? [100, 1] : [4_000, 15];
  const store = await openSqliteEventStore({ file: join(folder, 'transact.db') });
  const deciding = await openSqliteEventStore({ file: join(folder, 'decided.db') });
  const single = openBareDatabase(join(folder, 'single.db'));
  const grouped = openBareDatabase(join(folder, 'grouped.db'));
  const groups: number[] = [];
  let ready = readyPayments(payments);
  let commands: readonly BareCommand[] = [];
  let sizes: readonly number[] = [];
  let written = 0;
  const writeAll = async (): Promise<number> => {
    const run = await writeReady(store, ready);
    commands = commandsAfter(store, written);
    if (commands.length !== 2 * payments) throw new Error('the store has not what it said it wrote');
    written += 4 * payments;
    sizes = run.sizes;
    groups.push(...sizes);
    ready = readyPayments(payments);
    return run.rate;
  };
  try {
    const rates = await interleaved<Side>(
      rounds,
      {
        transact: writeAll,
        grouped: () => bareRate(grouped, commands, sizes),
        decided: async () => (await decideAndWrite(deciding, payments)).rate,
        single: () => bareRate(single, commands.slice(0, SINGLE_COMMANDS_MAX), ones()),
      },
      progress,
    );
    return figures(rates, median(groups));
  } finally {
    await Promise.all([store.close(), deciding.close()]);
    single.close();
    grouped.close();
  }
}

function figures(rates: Rounds<Side>, group: number): Figure[] {
  const rate = (side: Side) => ({ value: median(rates[side]), unit: '/s' as const, meaning: 'Commands.' });
  return [
    {
      name: 'transact() : one fsynced transaction a command',
      ...ratio(rates.transact, rates.single),
      meaning: 'What group commit wins, after all that the event store costs.',
      target: { kind: 'at least', value: 3 },
    },
    {
      name: 'transact() : bare loop of group commits',
      ...ratio(rates.transact, rates.grouped),
      meaning: "The share of the file's speed that remains with checks, hash chain and answers.",
      target: { kind: 'at least', value: 0.6 },
    },
    {
      name: 'the same, with the decisions of the domain : bare loop',
      ...ratio(rates.decided, rates.grouped),
      meaning: 'The same with every decision, event id and fold of a payment in the measured time.',
    },
    { name: 'transact()', ...rate('transact') },
    { name: 'transact(), with the decisions of the domain', ...rate('decided') },
    { name: 'bare loop of group commits', ...rate('grouped') },
    { name: 'one transaction a command', ...rate('single') },
    {
      name: 'commands in a group',
      value: group,
      unit: '',
      meaning: 'Median of what was committed together.',
    },
  ];
}

function* ones(): Generator<number> {
  for (;;) yield 1;
}

/** A row of the file, ready to be inserted again. */
interface BareRow {
  readonly stream: string;
  readonly revision: number;
  readonly id: Uint8Array;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

type BareDatabase = ReturnType<typeof openBareDatabase>;
type BareCommand = readonly BareRow[];

const ROWS =
  'SELECT stream, revision, id, type, data, metadata FROM events WHERE position > ? ORDER BY position';
const INSERT = 'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)';

/** Returns the rows after a position by append; here each append has two. */
function commandsAfter(store: SqliteEventStore, position: number): readonly BareCommand[] {
  const rows = store.query<BareRow>(ROWS, [position]);
  const commands: BareCommand[] = [];
  for (let at = 0; at < rows.length; at += 2) {
    const command = rows.slice(at, at + 2);
    if (command[0]?.stream !== command[1]?.stream) throw new Error('an append has not the two rows it had');
    commands.push(command);
  }
  return commands;
}

/**
 * Writes transactions of these sizes, each with an fsync, on a connection of the driver: the least work of a program
 * without an event store. Returns commands per second.
 */
function bareRate(db: BareDatabase, commands: readonly BareCommand[], sizes: Iterable<number>): number {
  const insert = db.prepare(INSERT);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const startedAt = performance.now();
  let next = 0;
  for (const size of sizes) {
    if (next >= commands.length) break;
    begin.run();
    for (const end = Math.min(next + size, commands.length); next < end; next++) {
      for (const { stream, revision, id, type, data, metadata } of commands[next] ?? [])
        insert.run(stream, revision, id, type, data, metadata);
    }
    commit.run();
  }
  return (next * 1000) / (performance.now() - startedAt);
}
