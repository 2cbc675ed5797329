import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely';

/** Builds statements; `Postgres` and `PostgresSession` run them. */
export function queryBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** Text in the order of its bytes, as SQLite has it. The database's own order depends on its language. */
export const binaryText: RawBuilder<unknown> = sql`text collate "C"`;

/** The database's clock. Not `now()`, which is the time at which the transaction began. */
export const databaseNow: RawBuilder<Date> = sql<Date>`clock_timestamp()`;

export function databaseTimeIn(ms: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;
}
