import { MigratedDatabase, type PostgresServer } from '@tillstream/postgres-driver/testing';
import { PAYMENTS_MIGRATIONS } from './payments.tables.js';

/** A new database with the tables of payments. */
export function newPaymentsDatabase(server: PostgresServer): Promise<MigratedDatabase> {
  return MigratedDatabase.create(server, [PAYMENTS_MIGRATIONS]);
}
