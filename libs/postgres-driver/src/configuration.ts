/* What reads the settings needs, without the driver, which takes long to load. */
export { checkDatabaseUrl, displayDatabase } from './postgres.address.js';
export { defaultPostgresLimits, type PostgresLimits } from './postgres.limits.js';
