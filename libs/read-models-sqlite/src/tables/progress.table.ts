import type Database from 'better-sqlite3';
import type { Compilable, Kysely } from 'kysely';
import type { Position } from '@tillstream/event-store';
import { PROGRESS_COLUMNS, toProgress, advanceValues, type Advance, type Progress } from './progress.js';
import { compiler, type Columns, type GenerationTables } from './sqlite.dialect.js';

/** Creates the table of a generation's progress, which has one row. */
export function progressSchema(): readonly Compilable[] {
  const kysely: Kysely<GenerationTables> = compiler();
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
    kysely
      .insertInto('progress')
      .columns(['one', 'position', 'events', 'updated_at'])
      .expression(
        kysely.selectNoFrom(({ lit }) => [
          lit(1).as('one'),
          lit(null).as('position'),
          lit(0).as('events'),
          lit(0).as('updated_at'),
        ]),
      ),
  ];
}

/** The progress of one generation: its checkpoint, which moves by compare-and-swap, and its counters. */
export class ProgressTable {
  readonly #read: Database.Statement<unknown[]>;
  readonly #first: Database.Statement<unknown[]>;
  readonly #next: Database.Statement<unknown[]>;

  constructor(db: Database.Database) {
    const kysely: Kysely<GenerationTables> = compiler();
    const prepared = (query: Compilable): Database.Statement<unknown[]> => db.prepare(query.compile().sql);
    const moved = kysely.updateTable('progress').set((eb) => ({
      position: eb.val(''),
      events: eb('events', '+', 0),
      updated_at: eb.val(0),
      last_stream: eb.fn.coalesce(eb.val(''), 'last_stream'),
      last_revision: eb.fn.coalesce(eb.val(0), 'last_revision'),
      last_position: eb.fn.coalesce(eb.val(''), 'last_position'),
    }));
    this.#read = prepared(kysely.selectFrom('progress').select(PROGRESS_COLUMNS));
    this.#first = prepared(moved.where('position', 'is', null));
    this.#next = prepared(moved.where('position', '=', ''));
  }

  exists(): boolean {
    return this.#read.get() !== undefined;
  }

  read(): Progress {
    return toProgress(this.#read.get() as Columns);
  }

  /**
   * Compare-and-swap: false if another process has moved the checkpoint from `from`. Call it only in the transaction that
   * writes the rows of the step.
   */
  advance(from: Position | undefined, step: Advance): boolean {
    const values = advanceValues(step);
    const moved = from === undefined ? this.#first.run(values) : this.#next.run(...values, from);
    return moved.changes === 1;
  }
}
