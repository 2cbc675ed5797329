import type Database from 'better-sqlite3';
import { sql, type Compilable } from 'kysely';
import type { Position } from '@tillstream/event-store';
import type { Advance, ListProgress } from '@tillstream/read-models';
import { compiler, prepare, type Columns, type Statement, type Tables } from './sqlite.dialect.js';

/** Creates the table of a generation's progress, which has one row. */
export function progressSchema(): readonly Compilable[] {
  const kysely: Tables = compiler();
  return [
    kysely.schema
      .createTable('progress')
      .addColumn('one', 'integer', (column) => column.primaryKey())
      .addColumn('position', 'text')
      .addColumn('events', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('last_stream', 'text')
      .addColumn('last_revision', 'bigint')
      .addColumn('last_position', 'text'),
    kysely.insertInto('progress').values({ one: sql.lit(1), events: sql.lit(0), updated_at: sql.lit(0) }),
  ];
}

/** The progress of one generation: its checkpoint, which moves by compare-and-swap, and its counters. */
export class ProgressTable {
  readonly #read: Statement;
  readonly #first: Statement;
  readonly #next: Statement;

  constructor(db: Database.Database) {
    const kysely: Tables = compiler();
    const moved = kysely.updateTable('progress').set((eb) => ({
      position: eb.val(''),
      events: eb('events', '+', 0),
      updated_at: eb.val(0),
      last_stream: eb.fn.coalesce(eb.val(''), 'last_stream'),
      last_revision: eb.fn.coalesce(eb.val(0), 'last_revision'),
      last_position: eb.fn.coalesce(eb.val(''), 'last_position'),
    }));
    this.#read = prepare(db, kysely.selectFrom('progress').selectAll());
    this.#first = prepare(db, moved.where('position', 'is', null));
    this.#next = prepare(db, moved.where('position', '=', ''));
  }

  exists(): boolean {
    return this.#read.get() !== undefined;
  }

  read(): ListProgress {
    return toProgress(this.#read.get() as Columns);
  }

  /** Compare-and-swap: false if the checkpoint is not `from`. Call it only in the transaction that writes the step's rows. */
  advance(from: Position | undefined, { to, events, witness }: Advance): boolean {
    const last = [witness?.stream ?? null, witness?.revision ?? null, witness?.position ?? null];
    const values = [to, events, Date.now(), ...last];
    const moved = from === undefined ? this.#first.run(values) : this.#next.run(...values, from);
    return moved.changes === 1;
  }
}

export async function readProgress(tables: Tables): Promise<ListProgress> {
  return toProgress(await tables.selectFrom('progress').selectAll().executeTakeFirstOrThrow());
}

function toProgress(row: Columns): ListProgress {
  const { last_stream: stream, last_revision: revision, last_position: position } = row;
  return {
    position: toPosition(row['position']),
    events: Number(row['events']),
    updatedAt: Number(row['updated_at']),
    witness:
      typeof stream === 'string'
        ? { stream, revision: Number(revision), position: toPosition(position) as Position }
        : undefined,
  };
}

const toPosition = (value: unknown): Position | undefined => (value ?? undefined) as Position | undefined;
