import type Database from 'better-sqlite3';
import type { Compilable, Kysely } from 'kysely';
import type { Position } from '@tillstream/event-store';
import { createIndexes, createTables } from './generation.schema.js';
import { compiler, endBulk, openFile, type GenerationTables } from './sqlite.dialect.js';
import { columnsOf, type FlatRow, type SqlValue, type TableShape } from './table.shape.js';

export interface Progress {
  readonly position: Position | undefined;
  /** Handled since the beginning. */
  readonly events: number;
  /** Ms, real time. */
  readonly updatedAt: number;
}

/** Most ids in one statement. */
const IDS = 200;

/** One generation of a projection, as its writers have it: a file of its own, on a blocking connection. */
export class GenerationFile {
  readonly #db: Database.Database;
  readonly #facets = new Map<string, number>();
  readonly #statements: ReturnType<typeof prepare>;
  readonly #facetAt: number;

  private constructor(
    readonly file: string,
    readonly shape: TableShape,
    db: Database.Database,
  ) {
    this.#db = db;
    this.#statements = prepare(db, shape);
    this.#facetAt = 2;
  }

  /** Throws where the file does not exist or holds something else. */
  static open(file: string, shape: TableShape): GenerationFile {
    const db = openFile(file, 'writer');
    try {
      return new GenerationFile(file, shape, db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** `bulk`: without most of its indexes, and not safe, until `finishBulk`. */
  static create(file: string, shape: TableShape, { bulk }: { readonly bulk: boolean }): GenerationFile {
    const db = openFile(file, bulk ? 'bulk' : 'maker');
    try {
      createTables(db, shape);
      createIndexes(db, shape, 'rare');
      if (!bulk) createIndexes(db, shape, 'common');
      return new GenerationFile(file, shape, db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  finishBulk(made: (count: number, of: number) => void): void {
    createIndexes(this.#db, this.shape, 'common', made);
    endBulk(this.#db);
  }

  /** All of `work` or nothing; a throw undoes it. */
  transaction<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      const value = work();
      this.#db.exec('commit');
      return value;
    } catch (error) {
      // A number given to a facet in here may be given to another one next.
      this.#facets.clear();
      if (this.#db.inTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  /** Rows of an equal or lower revision than what is there change nothing. Only in a transaction. */
  write(rows: readonly FlatRow[]): number {
    const { upsert } = this.#statements;
    const at = this.#facetAt;
    const end = at + this.shape.facet.length;
    let changed = 0;
    for (const row of rows) {
      const facet = this.#facetOf(row.slice(at, end));
      changed += upsert.run(...row.slice(0, at), facet, ...row.slice(end)).changes;
    }
    return changed;
  }

  /** Of those that are there. */
  revisions(ids: readonly string[]): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (let from = 0; from < ids.length; from += IDS) {
      const some = ids.slice(from, from + IDS);
      // One text for every length: what is left over asks for an id that nothing has.
      const padded = [...some, ...Array<string>(IDS - some.length).fill('')];
      const rows = some.length === 1 ? this.#statements.revision.all(...some) : this.#statements.revisions.all(...padded);
      for (const { id, revision } of rows as { id: string; revision: number }[]) found.set(id, revision);
    }
    return found;
  }

  progress(): Progress {
    const row = this.#statements.progress.get() as {
      position: Position | null;
      events: number;
      updated_at: number;
    };
    return { position: row.position ?? undefined, events: row.events, updatedAt: row.updated_at };
  }

  /** Compare and swap: false where somebody else moved it since. Only in a transaction, with the rows it stands for. */
  advance(from: Position | undefined, to: Position, events: number, now: number): boolean {
    const { advance, advanceFirst } = this.#statements;
    const moved = from === undefined ? advanceFirst.run(to, events, now) : advance.run(to, events, now, from);
    return moved.changes === 1;
  }

  count(): number {
    return (this.#statements.count.get() as { count: number }).count;
  }

  /** In the order of ids, with the values of `columnsOf`. */
  page(afterId: string, limit: number): FlatRow[] {
    return this.#statements.page.raw().all(afterId, limit) as SqlValue[][];
  }

  row(id: string): FlatRow | undefined {
    return this.#statements.row.raw().get(id) as SqlValue[] | undefined;
  }

  close(): void {
    this.#db.close();
  }

  #facetOf(values: readonly SqlValue[]): number {
    const key = values.join('\u0000');
    const known = this.#facets.get(key);
    if (known !== undefined) return known;
    const { addFacet, facet } = this.#statements;
    let row = facet.get(...values) as { facet: number } | undefined;
    if (!row) {
      addFacet.run(...values);
      row = facet.get(...values) as { facet: number };
    }
    this.#facets.set(key, row.facet);
    return row.facet;
  }
}

function prepare(db: Database.Database, shape: TableShape) {
  const kysely: Kysely<GenerationTables> = compiler();
  const prepared = (query: Compilable): Database.Statement<unknown[]> =>
    db.prepare<unknown[]>(query.compile().sql);
  const facet = shape.facet.map(({ name }) => name);
  const rowColumns = ['id', 'revision', 'facet', ...shape.sorts, ...shape.labels, ...shape.content];
  const blank = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, '']));
  const facets = kysely.selectFrom('facets').select('facet');
  const revisions = kysely.selectFrom('rows').select(['id', 'revision']);
  const progress = kysely.updateTable('progress');
  const moved = progress.set((eb) => ({
    position: eb.val(''),
    events: eb('events', '+', 0),
    updated_at: eb.val(0),
  }));
  const whole = kysely
    .selectFrom('rows')
    .innerJoin('facets', 'facets.facet', 'rows.facet')
    .select(
      columnsOf(shape).map((column) => (facet.includes(column) ? `facets.${column}` : `rows.${column}`)),
    );
  return {
    upsert: prepared(
      kysely
        .insertInto('rows')
        .values(blank(rowColumns))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(({ ref }) =>
              Object.fromEntries(rowColumns.slice(1).map((column) => [column, ref(`excluded.${column}`)])),
            )
            .where('rows.revision', '<', ({ ref }) => ref('excluded.revision')),
        ),
    ),
    addFacet: prepared(
      kysely
        .insertInto('facets')
        .values(blank(facet))
        .onConflict((conflict) => conflict.columns(facet).doNothing()),
    ),
    facet: prepared(facet.reduce((query, column) => query.where(column, '=', ''), facets)),
    revision: prepared(revisions.where('id', '=', '')),
    revisions: prepared(revisions.where('id', 'in', Array<string>(IDS).fill(''))),
    progress: prepared(kysely.selectFrom('progress').select(['position', 'events', 'updated_at'])),
    advanceFirst: prepared(moved.where('position', 'is', null)),
    advance: prepared(moved.where('position', '=', '')),
    count: prepared(kysely.selectFrom('rows').select(({ fn }) => fn.countAll().as('count'))),
    row: prepared(whole.where('rows.id', '=', '')),
    page: prepared(whole.where('rows.id', '>', '').orderBy('rows.id').limit(1)),
  };
}
