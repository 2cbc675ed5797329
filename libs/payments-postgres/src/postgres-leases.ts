import type { Leases } from '@tillstream/event-consumers';
import { PostgresLeases, type Postgres } from '@tillstream/postgres-driver';
import { LEASES } from './payments.tables.js';

/** The leases of one holder on work that the machines share. `holder` as in `PostgresLeases`. */
export function openPostgresLeases(database: Postgres, holder?: string): Leases {
  return new PostgresLeases(database, LEASES, holder);
}
