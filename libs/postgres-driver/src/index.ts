export {
  DumpError,
  dumpDatabase,
  isEmptyDatabase,
  restoreDatabase,
  type DumpOptions,
} from './database.dump.js';
export { displayDatabase } from './postgres.address.js';
export { openPostgres, type Postgres } from './postgres.js';
export { PostgresError, type PostgresErrorCode } from './postgres.errors.js';
export type { PostgresSession } from './postgres.session.js';
export { defaultPostgresLimits, type PostgresLimits } from './postgres.limits.js';
export type { PostgresSettings } from './postgres.settings.js';
export { leasesTable, PostgresLeases } from './postgres.leases.js';
export { PostgresListener } from './postgres.listener.js';
export { repeatUntilKnown } from './repeat-until-known.js';
export { asStore } from './store.errors.js';
export { isMigrated, migrate, type Migrations, type MigrationStep } from './migrations.js';
export { binaryText, databaseNow, databaseTimeIn, queryBuilder } from './query.builder.js';
