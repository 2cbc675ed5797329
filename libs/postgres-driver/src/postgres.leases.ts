import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Compilable, SchemaModule } from 'kysely';
import type { Postgres } from './postgres.js';
import { databaseNow, databaseTimeIn, queryBuilder } from './query.builder.js';

interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly held_until: Date;
}

const build = queryBuilder<Readonly<Record<string, Lease>>>();

/** Creates a table of leases. For a migration: it never changes. */
export function leasesTable(schema: SchemaModule, table: string): Compilable<unknown> {
  return schema
    .createTable(table)
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('held_until', 'timestamptz', (column) => column.notNull());
}

/**
 * The leases of one holder, for the processes of all machines. Their times are those of the database's clock, so that the
 * clocks of the machines do not matter. A holder that died loses its lease when it runs out.
 */
export class PostgresLeases {
  constructor(
    private readonly database: Postgres,
    /** Made by `leasesTable`. */
    private readonly table: string,
    /** Default: a unique name with the process and the machine, for operators. */
    readonly holder = `${process.pid} ${hostname()} ${randomUUID()}`,
  ) {}

  async hold(name: string, leaseMs: number): Promise<boolean> {
    const { table, holder } = this;
    const lease = { holder, held_until: databaseTimeIn(leaseMs) };
    // One statement: of concurrent holders one gets the row.
    const held = build
      .insertInto(table)
      .values({ name, ...lease })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where(({ eb, or }) =>
            or([eb(`${table}.holder`, '=', holder), eb(`${table}.held_until`, '<=', databaseNow)]),
          ),
      );
    return (await this.database.run(held)) === 1;
  }

  async release(name: string): Promise<void> {
    const { table, holder } = this;
    const own = build.deleteFrom(table).where('name', '=', name).where('holder', '=', holder);
    await this.database.run(own);
  }

  async isHeld(name: string): Promise<boolean> {
    return (await this.holderOf(name)) !== undefined;
  }

  /** The holder of a lease that has not run out. */
  async holderOf(name: string): Promise<string | undefined> {
    const lease = build.selectFrom(this.table).select('holder').where('name', '=', name);
    const [found] = await this.database.all(lease.where('held_until', '>', databaseNow));
    return found?.holder;
  }
}
