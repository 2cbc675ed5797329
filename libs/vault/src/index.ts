export { CARD_BYTES_MAX } from './encryption/text.encoding.js';
export { MASTER_KEY_BYTES, MasterKeyError, type MasterKeySource } from './keys/master-key.js';
export { openSqliteVault } from './sqlite/open-sqlite-vault.js';
export type { RotationResult } from './keys/rotation.js';
export type { SqliteVault } from './sqlite/sqlite.vault.js';
export { isNewVault, isVaultUsed } from './sqlite/vault.database.js';
export * from './vault.port.js';
export { vaultStatus, type VaultStatus } from './sqlite/vault.status.js';
