import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Leases } from '@tillstream/event-consumers';
import { databaseNow, databaseTimeIn, type Postgres } from '@tillstream/postgres-driver';
import { build } from './payments.tables.js';

/**
 * The leases of one holder, for the processes of all machines. Their times are those of the database's clock, so that the
 * clocks of the machines do not matter. A holder that died loses its lease when it runs out.
 */
export class PostgresLeases implements Leases {
  constructor(
    private readonly database: Postgres,
    /** Default: a unique name with the process and the machine, for operators. */
    readonly holder = `${process.pid} ${hostname()} ${randomUUID()}`,
  ) {}

  async hold(name: string, leaseMs: number): Promise<boolean> {
    const lease = { holder: this.holder, held_until: databaseTimeIn(leaseMs) };
    // One statement: of concurrent holders one gets the row.
    const held = build
      .insertInto('leases')
      .values({ name, ...lease })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where(({ eb, or }) =>
            or([eb('leases.holder', '=', this.holder), eb('leases.held_until', '<=', databaseNow)]),
          ),
      );
    return (await this.database.run(held)) === 1;
  }

  async release(name: string): Promise<void> {
    const own = build.deleteFrom('leases').where('name', '=', name).where('holder', '=', this.holder);
    await this.database.run(own);
  }

  async isHeld(name: string): Promise<boolean> {
    const lease = build.selectFrom('leases').select('name').where('name', '=', name);
    return (await this.database.all(lease.where('held_until', '>', databaseNow))).length > 0;
  }
}
