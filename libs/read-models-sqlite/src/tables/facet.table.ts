import type Database from 'better-sqlite3';
import type { FacetFamily, SqlValue, TableRow } from '@tillstream/read-models';
import { compiler, prepare, type Statement, type Tables } from './sqlite.dialect.js';

/** The numbered combinations of a family's values, on one connection. */
export class FacetTable {
  readonly #columns: readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #find: Statement;
  readonly #add: Statement;

  constructor(db: Database.Database, { name, columns }: FacetFamily) {
    const kysely: Tables = compiler();
    const find = columns.reduce(
      (query, column) => query.where(column, '=', ''),
      kysely.selectFrom(name).select('facet'),
    );
    const add = kysely
      .insertInto(name)
      .values(Object.fromEntries(columns.map((column) => [column, ''])))
      .onConflict((conflict) => conflict.columns([...columns]).doNothing());
    this.#columns = columns;
    this.#find = prepare(db, find);
    this.#add = prepare(db, add);
  }

  /** The number of the row's combination. A new combination gets the next number. Call it only in a transaction. */
  numberOf(row: TableRow): number {
    const values = this.#columns.map((column) => row[column]);
    const key = values.join('\u0000');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#stored(values) ?? this.#added(values);
    this.#numbers.set(key, number);
    return number;
  }

  /** Call it after a rollback: the table may give a number of the transaction to another combination. */
  forget(): void {
    this.#numbers.clear();
  }

  #added(values: readonly (SqlValue | undefined)[]): number {
    this.#add.run(values);
    return this.#stored(values) as number;
  }

  #stored(values: readonly (SqlValue | undefined)[]): number | undefined {
    return (this.#find.get(values) as { readonly facet: number } | undefined)?.facet;
  }
}
