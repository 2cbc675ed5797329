import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { compiler, type GenerationTables } from './sqlite.dialect.js';
import { rowColumns, type FacetFamily, type FlatRow, type TableShape } from '@tillstream/read-models';

/** The combinations of a family that occur, on one connection. */
export class FacetTable {
  /** Where the family's columns are in a row. */
  readonly #places: readonly number[];
  readonly #known = new Map<string, number>();
  readonly #find: Database.Statement<unknown[]>;
  readonly #add: Database.Statement<unknown[]>;

  constructor(db: Database.Database, shape: TableShape, { name, columns }: FacetFamily) {
    const kysely: Kysely<GenerationTables> = compiler();
    const find = columns.reduce(
      (query, column) => query.where(column, '=', ''),
      kysely.selectFrom(name).select('facet'),
    );
    const add = kysely
      .insertInto(name)
      .values(Object.fromEntries(columns.map((column) => [column, ''])))
      .onConflict((conflict) => conflict.columns([...columns]).doNothing());
    const all = rowColumns(shape);
    this.#places = columns.map((column) => all.indexOf(column));
    this.#find = db.prepare(find.compile().sql);
    this.#add = db.prepare(add.compile().sql);
  }

  /** Of the row's combination; what never occurred gets the next number. Only in a transaction. */
  numberOf(row: FlatRow): number {
    const values = this.#places.map((place) => row[place] ?? '');
    const key = values.join('\u0000');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let found = this.#find.get(values) as { facet: number } | undefined;
    if (!found) {
      this.#add.run(values);
      found = this.#find.get(values) as { facet: number };
    }
    this.#known.set(key, found.facet);
    return found.facet;
  }

  /** After a transaction was undone: a number that was given in it may be given to another combination next. */
  forget(): void {
    this.#known.clear();
  }
}
