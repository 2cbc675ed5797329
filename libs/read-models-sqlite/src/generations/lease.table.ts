import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { compiler, type ControlTables } from '../tables/sqlite.dialect.js';
import { isHolderDead } from './lease.holder.js';

interface Lease {
  readonly holder: string;
  readonly until: number;
}

/** The leases of all processes on a directory, in the control database. `now` is ms since 1970, real time. */
export class LeaseTable {
  readonly #find: Database.Statement<unknown[]>;
  readonly #take: Database.Statement<unknown[]>;
  readonly #release: Database.Statement<unknown[]>;

  constructor(private readonly db: Database.Database) {
    const kysely: Kysely<ControlTables> = compiler();
    const find = kysely.selectFrom('leases').select(['holder', 'until']).where('name', '=', '');
    const take = kysely
      .insertInto('leases')
      .values({ name: '', holder: '', until: 0 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({
          holder: ref('excluded.holder'),
          until: ref('excluded.until'),
        })),
      );
    const release = kysely.deleteFrom('leases').where('name', '=', '').where('holder', '=', '');
    this.#find = db.prepare(find.compile().sql);
    this.#take = db.prepare(take.compile().sql);
    this.#release = db.prepare(release.compile().sql);
  }

  /** True if `holder` has the lease for `leaseMs` from now: it was its own or free, had run out, or its process died. */
  hold(name: string, holder: string, now: number, leaseMs: number): boolean {
    if (isTakenByOther(this.#lease(name), holder, now)) return false;
    const take = this.db.transaction(() => {
      if (isTakenByOther(this.#lease(name), holder, now)) return false;
      this.#take.run(name, holder, now + leaseMs);
      return true;
    });
    return take.immediate();
  }

  release(name: string, holder: string): void {
    this.#release.run(name, holder);
  }

  /** The holder of a lease that has not run out and whose process is not known to be dead. */
  holder(name: string, now: number): string | undefined {
    const lease = this.#lease(name);
    return isTakenByOther(lease, '', now) ? lease?.holder : undefined;
  }

  #lease(name: string): Lease | undefined {
    return this.#find.get(name) as Lease | undefined;
  }
}

function isTakenByOther(lease: Lease | undefined, holder: string, now: number): boolean {
  return lease !== undefined && lease.holder !== holder && lease.until > now && !isHolderDead(lease.holder);
}
