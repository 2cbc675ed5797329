/* Apart from the rest, because the driver takes long to load. */
export { isPostgresVaultUsed, openPostgresVault, postgresVaultStatus } from './open-postgres-vault.js';
export type { PostgresVault } from './postgres.vault.js';
export { VAULT_MIGRATIONS } from './vault.tables.js';
